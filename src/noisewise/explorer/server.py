"""The server of the page. It answers only on the loopback address, and only requests with the right token.

Other programs on the same computer can reach the port, so the address holds a token that they do not know. Other pages
could send requests through the browser. So a request is refused if it names another host (DNS rebinding) or comes from
another origin. The page may load nothing from elsewhere, and the server writes no file.
"""

import hmac
import socket
import sys
from asyncio import TimerHandle, Transport
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files as resources
from threading import Lock

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from noisewise.explorer.answer import PageAnswer
from noisewise.explorer.data_files import PublicFiles
from noisewise.explorer.exports import Exports
from noisewise.explorer.page import mended, result_of, status_of, whole_page
from noisewise.explorer.state import Inputs, State
from noisewise.kernel.sampling.bits import SystemBits
from noisewise.results.pictures.html import Markup
from noisewise.results.pictures.svg import COLORS, STYLE

LOOPBACK = "127.0.0.1"
LONGEST_REQUEST = 256 * 1024
"""The most bytes of an address and its headers."""

PATIENCE = 60.0
"""A client has this many seconds to send a request, and as many to receive the answer."""

MOST_KEPT = 32
"""How many answers are kept."""

Shown = tuple[Markup | None, str, dict[str, str]]
"""The parts of an answer, the answer in a sentence, and the errors by field."""

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "form-action 'self'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 14 C6 14 6 2 8 2 C10 2 10 14 15 14" '
    f'fill="none" stroke="{COLORS[0]}" stroke-width="2"/></svg>'
)


def fresh_token() -> str:
    """Return a new token of 128 random bits."""
    return "".join(f"{int(word):016x}" for word in SystemBits().words(2))


@dataclass(frozen=True, slots=True)
class Explorer:
    """An explorer with its token and the public files that it shows."""

    token: str
    files: PublicFiles = field(default_factory=PublicFiles)
    links: Mapping[str, State] = field(default_factory=dict)
    turn: Lock = field(default_factory=Lock)
    """One answer is computed at a time; fast typing asks for several."""
    kept: dict[str, Shown] = field(default_factory=dict)
    """The latest answers, by the addresses of their states."""

    def answered(self, state: State) -> Shown:
        """Return the parts of the answer as HTML, the answer as a sentence, and the errors by the names of fields."""
        key = state.query()
        with self.turn:
            if key not in self.kept:
                if len(self.kept) >= MOST_KEPT:
                    del self.kept[next(iter(self.kept))]
                self.kept[key] = self._computed(state)
            return self.kept[key]

    def _computed(self, state: State) -> Shown:
        inputs, errors = Inputs.of(state, self.files.numbers)
        if inputs is None:
            return None, mended(errors), errors
        answer = PageAnswer.of(inputs)
        return result_of(answer, Exports.of(inputs, self.files)), status_of(answer), answer.errors

    def prepare(self) -> None:
        """Compute the first page while the browser starts."""
        self.answered(self.first())

    def page(self, request: Request) -> Response:
        state = self.state(request)
        result, status, errors = self.answered(state)
        return Response(
            whole_page(state, errors, result or Markup(""), status, self.files, self.links),
            media_type="text/html; charset=utf-8",
        )

    def answer(self, request: Request) -> Response:
        """Return the answer without the rest of the page, for the script of the page."""
        result, status, errors = self.answered(self.state(request))
        return JSONResponse({"html": result, "status": status, "errors": errors})

    def state(self, request: Request) -> State:
        given = dict(request.query_params)
        return State.of(given) if given else self.first()

    def first(self) -> State:
        """Return the first state: the first question of a study, or the first numbers of a file, or a shape."""
        if self.links:
            return next(iter(self.links.values()))
        if not self.files.files:
            return State.of({})
        column, begin = next(iter(self.files.files[0].beginnings.items()))
        return State.of({"source": "file", "column": f"0/{column}", "n": "", **begin._asdict()})

    def app(self, port: int) -> ASGIApp:
        """Return the web application. It answers only at its own address."""
        at = f"/{self.token}/"
        app = Starlette(
            routes=[
                Route(at, self.page),
                Route(f"{at}answer", self.answer),
                *(Route(f"{at}{name}", _served(text, kind)) for name, text, kind in _assets()),
            ]
        )
        return Guarded(app, self.token, port)


def _served(text: str, kind: str) -> Callable[[Request], Response]:
    def serve(request: Request) -> Response:
        return Response(text, media_type=kind)

    return serve


def _assets() -> list[tuple[str, str, str]]:
    """Return the script, the style sheet and the icon of the page. The style sheet contains the style of pictures."""
    here = resources("noisewise.explorer")
    drawn = STYLE.removeprefix("<style>").removesuffix("</style>")
    style = f"{drawn}\n{(here / 'explorer.css').read_text(encoding='utf-8')}"
    script = (here / "explorer.js").read_text(encoding="utf-8")
    return [
        ("explorer.css", style, "text/css; charset=utf-8"),
        ("explorer.js", script, "text/javascript; charset=utf-8"),
        ("icon.svg", ICON, "image/svg+xml"),
    ]


@dataclass(frozen=True, slots=True)
class Guarded:
    """A wrapper of the application. It refuses requests with another host, origin or token."""

    app: ASGIApp
    token: str
    port: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def with_headers(message: object) -> None:
            if isinstance(message, dict) and message["type"] == "http.response.start":
                more = [(key.lower().encode(), text.encode()) for key, text in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *more]
            await send(message)  # type: ignore[arg-type]

        refused = self.refusal(Request(scope))
        app: ASGIApp = self.app if refused is None else refused
        await app(scope, receive, with_headers)

    def refusal(self, request: Request) -> Response | None:
        """Return the response that refuses a request, or None if the request is allowed."""
        own = [f"{LOOPBACK}:{self.port}", f"localhost:{self.port}"]
        headers = request.headers
        if request.method not in ("GET", "HEAD"):
            return Response("the explorer is only read", 405)
        if headers.get("host") not in own:
            return Response("the explorer answers by its own address only", 403)
        if "origin" in headers and headers["origin"] not in [f"http://{each}" for each in own]:
            return Response("the explorer answers to its own page only", 403)
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return Response("the explorer answers to its own page only", 403)
        given = request.url.path.split("/")[1]
        if not hmac.compare_digest(given.encode(), self.token.encode()):
            return Response(
                "the address lacks its token: copy the whole address from where it was started", 403
            )
        return None


def listening(port: int) -> socket.socket:
    """Return a socket that listens on the loopback address. Port 0 stands for any free port."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":  # on Windows, it would let another program take the same port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((LOOPBACK, port))
    listener.listen()
    return listener


class Impatient(H11Protocol):
    """A connection that is dropped if its client does not send a request or receive the answer in time."""

    _timer: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self._wait()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._timer is not None:
            self._timer.cancel()

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(PATIENCE, self._drop)

    def _drop(self) -> None:
        if getattr(self.cycle, "response_complete", True) or self.flow.write_paused:
            self.transport.abort()
        else:  # the answer is being computed
            self._wait()


def server(explorer: Explorer, port: int) -> uvicorn.Server:
    """Return the server of an explorer. It logs nothing, since addresses hold the token."""
    config = uvicorn.Config(
        explorer.app(port),
        http=Impatient,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        h11_max_incomplete_event_size=LONGEST_REQUEST,
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)
