#!/usr/bin/env python3
"""Writes pages.txt: the pictures of the pages beside it, as Python's html.parser finds them.

The listings are what nginx 1.22, Apache 2.4.71, Caddy 2.6.2 (style, script and signs left out) and
Python's http.server answer for one folder of pictures with names that have to be coded. Lines: the page,
a tab, and the address of a link whose path ends as a picture's name does ("link"), or of an `img`
("img"), each in the order of the page.
"""
import html.parser
import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pages")
SUFFIXES = (".jpg", ".png", ".gif", ".webp")


class Finder(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []
        self.hidden = 0

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "template":
            self.hidden += 1
        if self.hidden:
            return
        if tag == "img":
            self.found.append("img\t" + (attributes.get("data-src") or attributes["src"]))
        path = (attributes.get("href") or "").split("#")[0].split("?")[0]
        if tag == "a" and path.lower().endswith(SUFFIXES):
            self.found.append("link\t" + attributes["href"])

    def handle_endtag(self, tag):
        self.hidden -= tag == "template"


with open(os.path.join(os.path.dirname(FOLDER), "pages.txt"), "w", encoding="utf-8") as out:
    for name in sorted(os.listdir(FOLDER)):
        if not name.endswith(".html"):
            continue
        finder = Finder()
        with open(os.path.join(FOLDER, name), encoding="utf-8") as page:
            finder.feed(page.read())
        for line in finder.found:
            print(name, line, sep="\t", file=out)
