"""The cases, in the order of the page. Each is a module with TITLE, X (what changes from figure to
figure), CHARTS, and `measure(bench)`, which holds contests."""

from . import decode, feed, link, fetch, lists, screens, sizes

ALL = {"decode": decode, "feed": feed, "link": link, "fetch": fetch, "lists": lists,
       "screens": screens, "sizes": sizes}
