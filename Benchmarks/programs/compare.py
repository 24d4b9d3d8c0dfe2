"""Reports which figures became worse, by comparing two binaries in turn."""

import statistics
from dataclasses import dataclass

from measure import ratios

BOUND = 0.10
"""A figure is worse if it is more than a tenth higher; two measurements of one binary differ by less."""
LEAST = {"wall": 0.004, "cpu": 0.004, "peak": 1.5e6}
"""Smaller differences are in the start of a process and do not count: seconds, seconds, bytes."""
NAMES = {"wall": "time", "cpu": "CPU time", "peak": "memory"}


@dataclass
class Difference:
    """One unit of one figure: the median of the runs' ratios to the runs of the base."""

    figure: object
    unit: str

    @property
    def ratio(self):
        """The ratio of this binary to the base."""
        return statistics.median(ratios(self.figure.runs, self.figure.base_runs, self.unit))

    @property
    def is_worse(self):
        """Whether the median and the best run exceed their bounds, by more than the start of a process."""
        mine = [getattr(run, self.unit) for run in self.figure.runs]
        base = [getattr(run, self.unit) for run in self.figure.base_runs]
        more = statistics.median(mine) - statistics.median(base)
        return (self.ratio > 1 + BOUND and min(mine) > min(base) * (1 + BOUND / 2)
                and more > LEAST[self.unit])


def differences(figure):
    """Returns the differences of a figure that was measured together with the base."""
    return [Difference(figure, unit) for unit in NAMES]


def is_suspect(figure):
    """Whether a figure must be measured again before it is reported as worse."""
    return any(difference.is_worse for difference in differences(figure))


def report(figures):
    """Returns the table as text, and the number of figures that became worse."""
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
