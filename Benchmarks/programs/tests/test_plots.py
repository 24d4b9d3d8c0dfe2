"""Tests that plots are well-formed and show every figure inside their frame."""

import re
import unittest
import xml.etree.ElementTree as xml

import cases
import page
import plot
from plot import Chart

SVG = "{http://www.w3.org/2000/svg}"
BARS = Chart("a", "bars", "wall", "A & B <now>", "seconds")
LINES = Chart("b", "lines", "wall", "Title", "seconds", x_label="lines")


def numbers(text):
    """Returns the numbers in the attributes of a file."""
    return [float(found) for found in re.findall(r'"(-?[0-9.]+)"', text)]


class PlotTests(unittest.TestCase):
    """Bars, lines, axes."""

    def check(self, chart, points):
        """Checks that the plot is well-formed, finite and inside its frame; returns its texts."""
        text = plot.draw(chart, points)
        root = xml.fromstring(text)
        self.assertNotRegex(text.lower(), r"\bnan\b|\binf\b|https?://(?!www\.w3\.org)")
        height = float(root.get("height"))
        for x in numbers(text):
            self.assertTrue(-1 <= x <= max(plot.WIDTH, height), x)
        return [element.text for element in root.iter(f"{SVG}text")]

    def test_bars_have_a_bar_and_a_value_each(self):
        """Labels and values are in the plot, escaped."""
        words = self.check(BARS, [("web", "ours", 0.5), ("web", "timg & co", 1.25),
                                  ("png", "ours", 0.0)])
        for word in ["A & B <now>", "timg & co", "0.5", "1.2", "seconds", "png"]:
            self.assertIn(word, words)

    def test_lines_have_axes_with_their_units(self):
        """The axis for a wide range of values has powers of ten."""
        words = self.check(LINES, [(10 ** n, name, 0.001 * 7 ** n) for n in range(3, 7)
                                   for name in ("gallery", "fetch")])
        for word in ["seconds", "lines", "1,000", "1,000,000", "gallery", "fetch", "1", "10"]:
            self.assertIn(word, words)

    def test_long_names_fit(self):
        """Names fit next to the lines, and before the bars."""
        name = "termgallery with an option of many words"
        for chart in (BARS, LINES):
            root = xml.fromstring(plot.draw(chart, [(1, name, 1.0), (10, name, 2.0)]))
            for element in root.iter(f"{SVG}text"):
                if element.text == name:
                    at, width = float(element.get("x")), len(name) * 7
                    if element.get("text-anchor") == "end":
                        self.assertGreater(at - width, 0)
                    else:
                        self.assertLess(at + width, plot.WIDTH)

    def test_terminals_lie_at_their_cells(self):
        """80×24 is at 1920."""
        self.assertEqual(plot.number("80×24"), 1920)
        self.assertIn("80×24", self.check(LINES, [("80×24", "ours", 1), ("300×90", "ours", 2)]))

    def test_what_no_plot_can_show_is_refused(self):
        """NaN, infinity, negative values, and no values."""
        for values in [[float("nan")], [float("inf")], [-1.0], []]:
            with self.assertRaises(ValueError):
                plot.draw(BARS, [("x", "y", value) for value in values])

    def test_ticks_reach_over_the_largest_value(self):
        """The ticks have round steps, and there are not too many."""
        for top in [0.0003, 0.7, 1, 4.2, 99, 100, 12345]:
            ticks = plot.steps(top)
            self.assertGreaterEqual(ticks[-1], top)
            self.assertTrue(3 <= len(ticks) <= 7, ticks)

    def test_names_at_the_lines_ends_keep_apart(self):
        """The names keep their order."""
        placed = plot.spread([50, 51, 52])
        self.assertEqual(placed, [50, 67, 84])


class PageTests(unittest.TestCase):
    """The parts of the page between its marks."""

    def test_only_what_stands_between_the_marks_changes(self):
        """The text around the marks stays."""
        text = "a\n<!-- bench x begin -->\nold\n<!-- bench x end -->\nb"
        self.assertEqual(page.between(text, "x", "new"),
                         "a\n<!-- bench x begin -->\nnew\n<!-- bench x end -->\nb")
        with self.assertRaises(ValueError):
            page.between(text, "y", "new")

    def test_the_page_has_marks_for_every_case(self):
        """There are marks for the machine, too."""
        text = page.PAGE.read_text(encoding="utf-8")
        for name in ["machine", *cases.ALL]:
            page.between(text, name, "")

    def test_commands_name_no_folder_of_this_machine(self):
        """Files and lists are replaced by words."""
        self.assertEqual(page.shown("timg -ph /home/a/1.jpg /home/a/2.jpg … (9 more)"),
                         "timg -ph FILES")
        self.assertEqual(page.shown("termgallery fetch /tmp/x/list-1000.txt"),
                         "termgallery fetch LIST")


if __name__ == "__main__":
    unittest.main()
