"""The server answers by its own address only, to its own page only, and says so in every header."""

import asyncio
import socket
from contextlib import suppress
from threading import Thread

import httpx
import pytest

from noisewise.explorer.bindings import Bindings
from noisewise.explorer.data_files import PublicFile, PublicFiles
from noisewise.explorer.server import HEADERS, LOOPBACK, Explorer, fresh_token, listening, server
from noisewise.explorer.state import State
from tests.explorer.public_state import SMALL

PORT, TOKEN = 8123, "0123456789abcdef"
HOST = f"{LOOPBACK}:{PORT}"


class Client:
    """Asks an explorer without a network."""

    def __init__(self, explorer):
        self.app = explorer.app(PORT)

    def request(self, method, path, **given):
        async def ask():
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
                return await client.request(method, path, **given)

        return asyncio.run(ask())

    def get(self, path, **given):
        return self.request("GET", path, **given)


@pytest.fixture
def client():
    return Client(Explorer(TOKEN))


def test_the_page_and_the_answer(client):
    page = client.get(f"/{TOKEN}/", params=SMALL)
    assert page.status_code == 200 and "Not private" in page.text
    answer = client.get(f"/{TOKEN}/answer", params=SMALL).json()
    assert answer["errors"] == {} and answer["status"].startswith("The median by balance at ε = 1")
    assert answer["html"] in page.text
    wrong = client.get(f"/{TOKEN}/answer", params={"epsilon": "0"}).json()
    assert wrong["html"] is None and "epsilon" in wrong["errors"]


@pytest.mark.parametrize(
    ("name", "kind"), [("explorer.js", "javascript"), ("explorer.css", "css"), ("icon.svg", "svg")]
)
def test_what_the_page_needs_comes_from_here(client, name, kind):
    served = client.get(f"/{TOKEN}/{name}")
    assert kind in served.headers["content-type"]
    assert (
        "http://" not in served.text.replace("http://www.w3.org/2000/svg", "")
        and "https://" not in served.text
    )


def test_every_answer_says_what_a_browser_may_do(client):
    for path in (f"/{TOKEN}/icon.svg", "/wrong/", f"/{TOKEN}/nothing"):
        headers = client.get(path).headers
        assert {key: headers[key] for key in HEADERS} == HEADERS
    assert HEADERS["Content-Security-Policy"].startswith("default-src 'self'")


@pytest.mark.parametrize(
    ("path", "headers", "code"),
    [
        (f"/{TOKEN}/icon.svg", {}, 200),
        (f"/{TOKEN}/icon.svg", {"host": f"localhost:{PORT}"}, 200),
        (f"/{TOKEN}/icon.svg", {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}, 200),
        ("/", {}, 403),
        (f"/{TOKEN[:-1]}/icon.svg", {}, 403),
        ("/%c3%a9/icon.svg", {}, 403),
        (f"/{TOKEN}/icon.svg", {"host": f"evil.example:{PORT}"}, 403),
        (f"/{TOKEN}/icon.svg", {"host": LOOPBACK}, 403),
        (f"/{TOKEN}/icon.svg", {"origin": "http://evil.example"}, 403),
        (f"/{TOKEN}/icon.svg", {"origin": "null"}, 403),
        (f"/{TOKEN}/icon.svg", {"sec-fetch-site": "cross-site"}, 403),
        (f"/{TOKEN}/icon.svg", {"sec-fetch-site": "same-site"}, 403),
        (f"/{TOKEN}/nothing", {}, 404),
    ],
)
def test_who_comes_by_another_way_is_refused(client, path, headers, code):
    assert client.get(path, headers=headers).status_code == code


def test_nothing_can_be_sent(client):
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert client.request(method, f"/{TOKEN}/").status_code == 405


def test_only_files_it_was_started_with_are_read(tmp_path):
    for name in ("public", "secret"):
        (tmp_path / f"{name}.csv").write_text(f"{name}\n1\n2\n3\n")
    files = PublicFiles((PublicFile.of(str(tmp_path / "public.csv"), Bindings(folder=tmp_path)),))
    client = Client(Explorer(TOKEN, files))
    assert "of these 3 records" in client.get(f"/{TOKEN}/answer").json()["status"], "it begins with the file"
    for column in ("1/secret", "../secret.csv/secret", f"{tmp_path}/secret.csv/secret", "0/secret"):
        given = {"source": "file", "column": column, "n": ""}
        answer = client.get(f"/{TOKEN}/answer", params=given).json()
        assert answer["html"] is None and list(answer["errors"]) == ["column"], column


def test_a_file_whose_first_column_is_text_is_shown_within_bounds_that_suit_it(tmp_path):
    (tmp_path / "public.csv").write_text("sex,rings\n" + "F,3\nM,11\n" * 20)
    files = PublicFiles((PublicFile.of(str(tmp_path / "public.csv"), Bindings(folder=tmp_path)),))
    client = Client(Explorer(TOKEN, files))
    answer = client.get(f"/{TOKEN}/answer").json()
    assert answer["errors"] == {} and "of these 40 records" in answer["status"]
    page = client.get(f"/{TOKEN}/").text
    assert 'data-low="0" data-high="11" data-granularity="1"' in page and "0/sex" not in page


def test_questions_of_a_study_are_links():
    links = {"pay": State.of({"epsilon": "0.25", **SMALL})}
    client = Client(Explorer(TOKEN, links=links))
    text = client.get(f"/{TOKEN}/").text
    assert 'href="?first=3.5&amp;n=40' in text and "at ε = 0.25" in text


def test_who_sends_no_whole_request_in_time_is_dropped(monkeypatch):
    """Nothing, or an address that never ends, or a second one that does not."""
    monkeypatch.setattr("noisewise.explorer.server.PATIENCE", 0.05)
    whole = f"GET /{TOKEN}/icon.svg HTTP/1.1\r\nHost: {LOOPBACK}:%d\r\nContent-Length: 9\r\n\r\n"
    with listening(0) as listener:
        port = listener.getsockname()[1]
        serving = server(Explorer(TOKEN), port)
        thread = Thread(target=lambda: asyncio.run(serving.serve(sockets=[listener])), daemon=True)
        thread.start()
        for sent in ("", "GET / HTTP/1.1\r\nHost: ", whole % port):
            with socket.create_connection((LOOPBACK, port), timeout=60) as client:
                client.sendall(sent.encode())
                assert b"".join(received(client)).startswith(b"HTTP/1.1 200" if sent.endswith("\n") else b"")
        serving.should_exit = True
        thread.join()


def received(client):
    """What is sent until the connection ends."""
    with suppress(ConnectionResetError):
        while part := client.recv(1 << 16):
            yield part


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"first": "1e999"}, "first"),
        ({"second": "1e400"}, "first"),
        ({"first": "1000"}, "first"),
        ({"source": "sample", "sample": "1 1e999"}, "sample"),
    ],
)
def test_numbers_too_large_for_records_are_refused_beside_their_field(client, given, field):
    assert list(client.get(f"/{TOKEN}/answer", params={**SMALL, **given}).json()["errors"]) == [field]


def test_tokens_differ_and_the_socket_is_on_the_loopback():
    assert len(fresh_token()) == 32 and fresh_token() != fresh_token()
    with listening(0) as listener:
        assert listener.getsockname()[0] == LOOPBACK and listener.family == socket.AF_INET
        made = server(Explorer(TOKEN), listener.getsockname()[1])
    assert (made.config.access_log, made.config.server_header) == (False, False)
