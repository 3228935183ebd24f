"""The pictures are SVG, say in words what they draw, and draw every mechanism and what is clamped."""

from xml.etree import ElementTree

from noisewise.explorer.answer import PageAnswer
from noisewise.explorer.pictures import contributions_picture, laws_picture, price_picture, records_picture
from tests.explorer.public_state import checked

SPACE = "{http://www.w3.org/2000/svg}"


def parts(picture, kind):
    return list(ElementTree.fromstring(picture.svg).iter(f"{SPACE}{kind}"))


def test_all_laws_are_on_one_axis_with_their_dots():
    answer = PageAnswer.of(checked())
    picture = laws_picture(answer)
    said = parts(picture, "desc")[0].text
    drawn = [each for each in answer.seen if each.dots]
    none = [each.name for each in answer.seen if not each.dots]
    assert none == ["shifted_inverse", "shifted_piecewise_laplace"], "they answer no median"
    assert all(each.name.replace("_", " ") in said for each in drawn)
    assert len({each.get("class") for each in parts(picture, "path")}) == len(drawn)
    dots = {each.get("class") for each in parts(picture, "circle")}
    assert dots == {f"f{index}" for index in range(len(drawn))}, "a row of dots for each mechanism"
    texts = [each.text for each in parts(picture, "text")]
    assert "balance (used)" in texts and any("NOT PRIVATE" in each for each in texts)


def test_dots_beyond_the_picture_are_counted():
    answer = PageAnswer.of(checked(high="100000", granularity="500", first="10.5"))
    texts = " ".join(each.text for each in parts(laws_picture(answer), "text"))
    laplace = next(each for each in answer.seen if each.name == "laplace")
    drawn = len(parts(laws_picture(answer), "circle"))
    assert "→" in texts and "←" in texts
    assert drawn < sum(len(each.dots) for each in answer.seen) and len(laplace.dots) == 40


def test_clamped_records_have_another_colour():
    picture = records_picture(PageAnswer.of(checked(high="40")))
    assert "f1" in {each.get("class") for each in parts(picture, "rect")}
    assert "above the bounds, of 40 records" in parts(picture, "desc")[0].text
    inside = records_picture(PageAnswer.of(checked(high="1000", granularity="10")))
    assert "f1" not in {each.get("class") for each in parts(inside, "rect")}


def test_sweeps_are_drawn():
    answer = PageAnswer.of(checked())
    assert len(parts(price_picture(answer), "circle")) == len(
        [error for _, error in answer.by_price if error]
    )
    assert len(parts(contributions_picture(answer), "circle")) == len(answer.by_contributions)
