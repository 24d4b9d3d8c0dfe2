"""Writes the tables and plots of Documentation/Performance.md from stored results.

Only the text between the marks of a case is written; the text around the marks is written by hand."""

import json
import re
from pathlib import Path

import cases
from plot import draw

ROOT = Path(__file__).resolve().parent.parent.parent
RESULTS = ROOT / "Benchmarks/Results"
PAGE = ROOT / "Documentation/Performance.md"
PLOTS = ROOT / "Documentation/Plots"
FACTORS = {"wall": 1, "cpu": 1, "peak": 1e-6}


def latest():
    """Returns the results file of the last full run."""
    files = sorted(RESULTS.glob("*-programs.json"))
    if not files:
        raise FileNotFoundError("no results yet: make bench-programs")
    return files[-1]


def write(file):
    """Writes the plots, and the parts of the page between its marks."""
    results = json.loads(file.read_text())
    PLOTS.mkdir(exist_ok=True)
    text = between(PAGE.read_text(), "machine", machine(results, file.name))
    for name, case in cases.ALL.items():
        figures = [figure for figure in results["figures"] if figure["case"] == name]
        if figures:
            for chart in case.CHARTS:
                (PLOTS / f"{chart.name}.svg").write_text(draw(chart, points(chart, figures)))
            text = between(text, name, section(case, figures))
    PAGE.write_text(text)


def between(text, name, content):
    """Returns the text with new content between the marks of this name."""
    begin, end = f"<!-- bench {name} begin -->", f"<!-- bench {name} end -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        raise ValueError(f"{PAGE.name} needs once each: {begin} and {end}")
    before, rest = text.split(begin)
    return f"{before}{begin}\n{content}\n{end}{rest.split(end)[1]}"


def machine(results, name):
    """Returns a text about the machine and the time of the measurement."""
    programs = ", ".join(results["programs"])
    source = f"`{results['commit']}`" if results["binary"] == "built" else "a binary that was there"
    return (f"Measured on {results['date']}, {source}: {results['machine']}; load "
            f"{results['load']} before the run, which took {results['seconds'] / 60:.0f} minutes. "
            f"{programs}. Every run of every program: "
            f"[{name}](../Benchmarks/Results/{name}).")


def points(chart, figures):
    """Returns the points of a chart as (x, series, value)."""
    return [(figure["x"], series(figure), figure[chart.unit] * FACTORS[chart.unit])
            for figure in figures if chart.only in ("", figure["variant"])]


def series(figure):
    """Returns the name of a figure in tables and plots, as in Contestant."""
    return f"{figure['subject']} {figure['variant']}".strip()


def section(case, figures):
    """Returns the plots and the table of a case."""
    images = [f"![{chart.title}](Plots/{chart.name}.svg)" for chart in case.CHARTS]
    many = len({series(figure) for figure in figures}) > 1
    rows = [[case.X, "program", "time", "ratio", "CPU time", "ratio", "peak memory"],
            ["---", "---"] + ["--:"] * 5]
    rows += [row(figure) for figure in figures]
    if not many:
        rows = [cells[:1] + cells[2:] for cells in rows]
    commands = dict.fromkeys(figure["command"] for figure in figures)
    table = "\n".join("| " + " | ".join(cells) + " |" for cells in rows)
    return "\n\n".join(images + [table, "```text\n" + "\n".join(commands) + "\n```"])


def row(figure):
    """Returns a row of the table."""
    x = figure["x"]
    ratios = [f"{figure['ratio'][unit]:.2f}×" for unit in ("wall", "cpu")]
    return [x if isinstance(x, str) else f"{x:,}", series(figure), seconds(figure["wall"]),
            ratios[0], seconds(figure["cpu"]), ratios[1], f"{figure['peak'] / 1e6:.1f} MB"]


def seconds(value):
    """Returns a time in seconds, or in milliseconds below one second."""
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.0f} ms"


def shown(command):
    """Returns a command without the folders of this machine."""
    command = re.sub(r"( /\S+\.(jpg|png))+( … \(\d+ more\))?", " FILES", command)
    return re.sub(r"/\S+/[a-z0-9-]+\.txt", "LIST", command)
