"""A real Chromium, driven by Playwright, and an explorer that it looks at, on this computer."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from noisewise.explorer.data_files import PublicFiles
from noisewise.explorer.server import LOOPBACK, Explorer, fresh_token, listening, server
from tests.programs import CHROMIUM


@contextmanager
def serving(files: PublicFiles | None = None) -> Iterator[str]:
    """The address of an explorer, which ends with the block."""
    explorer = Explorer(fresh_token(), files or PublicFiles())
    with listening(0) as listener:
        port = listener.getsockname()[1]
        running = server(explorer, port)
        thread = threading.Thread(target=lambda: running.run(sockets=[listener]), daemon=True)
        thread.start()
        try:
            while not running.started and thread.is_alive():
                time.sleep(0.01)
            yield f"http://{LOOPBACK}:{port}/{explorer.token}/"
        finally:
            running.should_exit = True
            thread.join(10)


@contextmanager
def launched() -> Iterator[Any]:
    """The browser, which ends with the block."""
    from playwright.sync_api import sync_playwright

    flags = ["--disable-gpu", "--disable-dev-shm-usage"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")  # which root cannot have
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM.path_or_skip(), args=flags)
        try:
            yield browser
        finally:
            browser.close()
