#!/usr/bin/env python3
"""Writes feeds.txt: what feedparser, a Python package, reads in the feeds beside it.

    python3 feeds.py > feeds.txt

A line an entry: file, date in seconds since 1970, author, link, title, the first picture that the entry
declares; separated by tabs, "-" for none.

The files made-by-… are as these programs wrote them, from a few entries of our own: Pelican 4.8.0, Hugo
0.111.3, Jekyll 4.3.1 with jekyll-feed, XML::RSS 1.62 (RSS 1.0), feedgen 1.0.0 (Media RSS), Newsboat 2.21
(`newsboat -e`), Django 4.2.30 with django-jsonfeed 0.4.0.
"""
import calendar, glob, html, os, re
import feedparser

os.chdir(os.path.dirname(os.path.abspath(__file__)))
for name in sorted(glob.glob("*.xml") + glob.glob("*.rss")):
    for entry in feedparser.parse(name).entries:
        date = entry.get("published_parsed") or entry.get("updated_parsed")
        title = html.unescape(re.sub(r"<[A-Za-z/!][^>]*>", "", entry.get("title", "")))
        media = [m["url"] for m in entry.get("media_content", [])
                 if m.get("medium") == "image" or m.get("type", "").startswith("image/")]
        enclosed = [e["href"] for e in entry.get("enclosures", []) if e.get("type", "").startswith("image/")]
        author = entry.get("author") or next((c["content"] for c in entry.get("media_credit", [])), None)
        print("\t".join([name, str(calendar.timegm(date)) if date else "-", author or "-",
                         entry.get("link") or "-", title.strip() or "-", (media + enclosed + ["-"])[0]]))
