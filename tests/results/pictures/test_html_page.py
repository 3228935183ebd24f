"""A page has no script and fetches nothing, and tells the browser to allow neither."""

from noisewise.results.pictures.html import paragraph
from noisewise.results.pictures.html_page import Page
from tests.results.pictures.pages import parsed


def test_a_page_runs_and_fetches_nothing(tmp_path):
    page = Page.of("a <b>", [paragraph("c & d")])
    read = parsed(page.html)
    assert page.html.startswith("<!DOCTYPE html>") and "a <b>" in read.text and "c & d" in read.text
    assert not read.tags & {"script", "link", "img", "iframe", "object", "a"}
    assert "default-src 'none'; style-src 'unsafe-inline'" in read.values
    assert "url(" not in page.html and "@import" not in page.html and "http:" not in page.html
    assert "@media print" in page.html and "prefers-color-scheme:dark" in page.html
    page.save(tmp_path / "p.html")
    assert (tmp_path / "p.html").read_text(encoding="utf-8") == page.html and repr(page) == "<Page: a <b>>"
