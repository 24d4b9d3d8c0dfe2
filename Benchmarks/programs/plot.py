"""Writes plots as SVG: bars for a few programs, lines over sizes. The plots need only the viewer's font,
and follow its light or dark colors."""

import math
from dataclasses import dataclass
from html import escape

# The colors of Okabe and Ito, which color-blind readers can distinguish; the markers differ, too.
COLORS = ["#1a86c8", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#999999", "#b8a800"]
PROGRAMS = ["termgallery", "timg", "chafa", "curl"]  # the order of the programs is the order of the colors
LETTER = 7.3  # width of a letter in a sans-serif font of 13 pixels, rounded up
STYLE = """
text { font: 13px sans-serif; fill: #222222 } .title { font-size: 15px; font-weight: bold }
.small { font-size: 12px } .ground { fill: #ffffff } .grid { stroke: #d8d8d8 }
.axis { stroke: #666666 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6e6e6 } .ground { fill: #16191d } .grid { stroke: #3a3f45 }
  .axis { stroke: #a0a0a0 }
}
"""
WIDTH = 760


@dataclass
class Chart:
    """A plot of a case: `kind` is bars or lines, `unit` is wall, cpu or peak, and `y_label` names the unit.
    `only` selects the figures of one variant."""

    name: str
    kind: str
    unit: str
    title: str
    y_label: str
    x_label: str = ""
    only: str = ""


def draw(chart, points):
    """Returns the SVG of points (x, series, value), in their order."""
    if not points or any(not math.isfinite(value) or value < 0 for _, _, value in points):
        raise ValueError(f"{chart.name}: no points, or points that a plot cannot show")
    return (bars if chart.kind == "bars" else lines)(chart, points)


def document(height, title, parts):
    """Returns the file with these parts."""
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img">',
        f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>",
        f'<rect class="ground" width="{WIDTH}" height="{height}" rx="6"/>',
        label(16, 26, title, "start", "title"), *parts, "</svg>", ""])


def label(x, y, words, anchor="start", kind=""):
    """Returns a text element."""
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">'
            f"{escape(str(words))}</text>")


def line(x1, y1, x2, y2, kind):
    """Returns a line of the grid or of an axis."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def short(value):
    """Returns a number with its significant digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}"


def plain(value):
    """Returns a number for an axis, without trailing zeros."""
    return f"{value:,.6f}".rstrip("0").rstrip(".")


def steps(top):
    """Returns round numbers from 0 to slightly above `top`."""
    size = 10 ** math.floor(math.log10(max(top, 1e-9) / 4))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor * 5.5 >= top)
    return [index * step for index in range(math.ceil(top / step - 1e-9) + 1)]


def bars(chart, points):
    """Returns a plot with one bar per figure, grouped by x."""
    left = max(220, 28 + LETTER * max(len(series) for _, series, _ in points))
    right, row = 70, 22
    ticks = steps(max(value for _, _, value in points))
    scale = (WIDTH - left - right) / ticks[-1]
    parts, y, group = [], 40, None
    for x, series, value in points:
        if x != group:
            group = x
            y += 26
            parts.append(label(16, y - 7, x, kind="small"))
        color = COLORS[program(series)]
        parts += [label(left - 8, y + 15, series, "end"),
                  f'<rect x="{left:.1f}" y="{y + 3}" width="{max(value * scale, 1):.1f}" '
                  f'height="{row - 6}" fill="{color}"/>',
                  label(left + value * scale + 6, y + 15, short(value), kind="small")]
        y += row
    grid = []
    for tick in ticks:
        at = left + tick * scale
        grid += [line(at, 50, at, y + 6, "grid"), label(at, y + 22, plain(tick), "middle", "small")]
    grid += [line(left, 50, left, y + 6, "axis"),
             label((left + WIDTH - right) / 2, y + 42, chart.y_label, "middle")]
    return document(y + 56, chart.title, grid + parts)


def program(series):
    """Returns the index in PROGRAMS: "curl, timg 1.4.5" and "timg 1.4.5" have the same color."""
    found = [index for index, name in enumerate(PROGRAMS) if name in series]
    return found[0] if found else len(PROGRAMS)


def number(x):
    """Returns an x as a number; for 80×24 terminals, the number of cells."""
    if isinstance(x, str):
        return math.prod(int(part) for part in x.split("×"))
    return x


def lines(chart, points):
    """Returns a plot with one line per series; x is logarithmic, and y is if its values differ by more than 30×."""
    left, top, height = 70, 60, 260
    right = 60 + LETTER * max(len(name) for _, name, _ in points)
    bottom = top + height
    series = {}
    for x, name, value in points:
        series.setdefault(name, []).append((number(x), value))
    values = [value for _, _, value in points]
    places = sorted({(number(x), str(x) if isinstance(x, str) else plain(x)) for x, _, _ in points})
    across = logarithmic(places[0][0], places[-1][0], left + 12, WIDTH - right - 12)
    if min(values) > 0 and max(values) / min(values) > 30:
        ends = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        ticks = [10.0 ** power for power in range(ends[0], ends[1] + 1)]
        up = logarithmic(ticks[0], ticks[-1], bottom, top)
    else:
        ticks = steps(max(values))
        up = lambda value: bottom - height * value / ticks[-1]
    parts = []
    for tick in ticks:
        parts += [line(left, up(tick), WIDTH - right, up(tick), "grid"),
                  label(left - 8, up(tick) + 4, plain(tick), "end", "small")]
    for x, words in places:
        parts += [line(across(x), bottom, across(x), bottom + 5, "axis"),
                  label(across(x), bottom + 20, words, "middle", "small")]
    parts += [line(left, top, left, bottom, "axis"), line(left, bottom, WIDTH - right, bottom, "axis"),
              label(left - 54, top - 14, chart.y_label),
              label((left + WIDTH - right) / 2, bottom + 42, chart.x_label, "middle")]
    heights = spread([up(found[-1][1]) for found in series.values()])
    for index, (name, found) in enumerate(series.items()):
        spots = [(across(x), up(value)) for x, value in sorted(found)]
        parts += curve(index, name, spots, heights[index])
    return document(bottom + 56, chart.title, parts)


def logarithmic(low, high, start, end):
    """Returns a function that maps low…high logarithmically to start…end."""
    width = math.log(high / low) or 1
    return lambda value: start + (end - start) * math.log(value / low) / width


def spread(heights, gap=17):
    """Returns the heights of labels, moved down if they would overlap."""
    placed, last = {}, -math.inf
    for index in sorted(range(len(heights)), key=lambda index: heights[index]):
        last = placed[index] = max(heights[index], last + gap)
    return [placed[index] for index in range(len(heights))]


def curve(index, name, spots, height):
    """Returns a series: its line, its markers, and its name at the end."""
    color = COLORS[index % len(COLORS)]
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    parts = [f'<polyline points="{way}" fill="none" stroke="{color}" stroke-width="2"/>']
    for x, y in spots:
        parts.append(marker(index, x, y, color))
    end = spots[-1][0] + 26
    return parts + [marker(index, end, height, color), label(end + 10, height + 4, name)]


def marker(index, x, y, color):
    """Returns a disc, square, diamond or triangle."""
    shapes = ["-4,-4 4,-4 4,4 -4,4", "0,-5.5 5.5,0 0,5.5 -5.5,0", "0,-5 5,4 -5,4"]
    if index % 4 == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.2" fill="{color}"/>'
    return (f'<polygon transform="translate({x:.1f} {y:.1f})" points="{shapes[index % 4 - 1]}" '
            f'fill="{color}"/>')
