"""What became slower: two binaries by turns, figure by figure."""

import statistics
from dataclasses import dataclass

from measure import ratios

BOUND = 0.10
"""A figure is slower beyond a tenth: two runs with one binary twice stay within it."""
LEAST = {"wall": 0.004, "cpu": 0.004, "peak": 1.5e6}
"""Less than this is the start of a process, whatever its share: seconds, seconds, bytes."""
NAMES = {"wall": "time", "cpu": "CPU time", "peak": "memory"}


@dataclass
class Difference:
    """One unit of one figure: the median of the runs' ratios to the base's."""

    figure: object
    unit: str

    @property
    def ratio(self):
        """This to base."""
        return statistics.median(ratios(self.figure.runs, self.figure.base_runs, self.unit))

    @property
    def is_worse(self):
        """Beyond the bound: by the median, by the best runs too, and by more than a process's start."""
        mine = [getattr(run, self.unit) for run in self.figure.runs]
        base = [getattr(run, self.unit) for run in self.figure.base_runs]
        more = statistics.median(mine) - statistics.median(base)
        return (self.ratio > 1 + BOUND and min(mine) > min(base) * (1 + BOUND / 2)
                and more > LEAST[self.unit])


def differences(figure):
    """Those of a figure that was measured beside the base's."""
    return [Difference(figure, unit) for unit in NAMES]


def is_suspect(figure):
    """Whether to measure it once more before it is called slower."""
    return any(difference.is_worse for difference in differences(figure))


def report(figures):
    """The table as text, and how many figures became worse."""
    lines, worse = [f"{'figure':62} {'time':>7} {'CPU':>7} {'memory':>7}"], []
    for figure in figures:
        found = differences(figure)
        name = f"{figure.case}, {figure.x}, {figure.variant}".rstrip(", ")
        lines.append(f"{name:62} " + " ".join(f"{each.ratio:6.2f}×" for each in found))
        worse += [f"WORSE: {name}: {NAMES[each.unit]} {each.ratio:.2f}×"
                  for each in found if each.is_worse]
    lines += ["", *worse, f"{len(worse)} of {len(figures) * len(NAMES)} became worse by more than "
              f"{BOUND:.0%}"]
    return "\n".join(lines), len(worse)
