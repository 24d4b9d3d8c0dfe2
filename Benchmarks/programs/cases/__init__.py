"""The cases, in the order of the page. Each is a module with TITLE, X (the property that differs between
figures), CHARTS, and `measure(bench)`, which compares programs."""

from . import decode, feed, link, fetch, lists, screens, sizes

ALL = {"decode": decode, "feed": feed, "link": link, "fetch": fetch, "lists": lists,
       "screens": screens, "sizes": sizes}
