"""The tags, attributes and text of an HTML page, by Python's own parser."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """The content of a page. Raises if tags are not closed in order."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.values, self.text, self._open = set(), set(), [], "", []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self._noticed(tag, attrs)
        if tag not in {"meta", "br", "hr", "img", "link"}:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self._noticed(tag, attrs)

    def _noticed(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.values += [value for _, value in attrs]

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.text += data


def parsed(text):
    return Page(text)
