"""The picture of the explorer in the documentation, docs/explorer.png, taken of the page itself.

python -m scripts.explorer_picture
"""

from pathlib import Path

from tests.explorer.browser import launched, serving

PLACE = Path(__file__).parents[1] / "docs" / "explorer.png"


def main() -> None:
    with serving() as address, launched() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 1180})
        page.goto(address)
        page.locator("#slider").wait_for()
        page.screenshot(path=PLACE)


if __name__ == "__main__":
    main()
