"""Tests medians, ratios, turns, and the rule for worse figures."""

import unittest

import compare
from measure import BenchError, Contestant, Figure, Usage, by_turns, contest, metered


def usages(*walls):
    """Returns Usages with these wall seconds and constant other units."""
    return [Usage(wall, 1.0, 10_000_000) for wall in walls]


class FigureTests(unittest.TestCase):
    """The statistics of runs."""

    def test_a_ratio_is_the_median_of_the_runs_ratios(self):
        """Not the ratio of medians: 4/2, 6/1 and 9/9 have the median 2."""
        figure = Figure("case", "ours", "", 1, "", usages(4, 6, 9), "base", usages(2, 1, 9))
        self.assertEqual(figure.ratio("wall"), 2)
        self.assertEqual(figure.median("wall"), 6)

    def test_each_contestant_is_first_in_turn(self):
        """With three contestants and three runs, each contestant starts one run."""
        order = []
        def program(name):
            def run():
                order.append(name)
                return Usage(1, 1, 1)
            return Contestant(name, run)
        found = by_turns([program("a"), program("b"), program("c")], 3)
        self.assertEqual("".join(order), "abcbcacab")
        self.assertEqual([len(each) for each in found], [3, 3, 3])

    def test_an_even_number_of_runs_is_refused(self):
        """The median of two runs would not be one of the runs."""
        with self.assertRaises(ValueError):
            by_turns([], 2)

    def test_the_first_contestant_is_the_baseline(self):
        """The ratio of the baseline is 1."""
        figures = contest("case", [Contestant("a", lambda: Usage(2, 2, 2)),
                                   Contestant("b", lambda: Usage(3, 1, 2))], 3)
        self.assertEqual([figure.ratio("wall") for figure in figures], [1, 1.5])
        self.assertEqual(figures[1].baseline, "a")


class MeterTests(unittest.TestCase):
    """The costs of a process."""

    ENVIRONMENT = {"PATH": "/usr/bin:/bin"}

    def test_memory_and_cpu_time_are_the_programs(self):
        """50 MB of text in a shell variable are measured, although the benchmark itself is smaller."""
        fill = "x=$(head -c 50000000 /dev/zero | tr '\\0' x); : $x"
        large = metered(["sh", "-c", fill], self.ENVIRONMENT)
        self.assertGreater(large.peak, 50e6)
        self.assertGreater(large.cpu, 0.005)
        self.assertLess(metered(["true"], self.ENVIRONMENT).peak, 15e6)

    def test_orphans_count_too(self):
        """A process that outlives the program is counted, but not in the wall time."""
        child = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"
        usage = metered(["sh", "-c", f"({child}) & exit 0"], self.ENVIRONMENT)
        self.assertGreater(usage.cpu, 0.02)
        self.assertLess(usage.wall, usage.cpu)

    def test_a_failing_program_fails_the_bench(self):
        """The error quotes the output of the program."""
        with self.assertRaisesRegex(BenchError, "no good"):
            metered(["sh", "-c", "echo no good >&2; exit 3"], self.ENVIRONMENT)
        metered(["sh", "-c", "exit 3"], self.ENVIRONMENT, status=3)


class ComparisonTests(unittest.TestCase):
    """The rule for worse figures."""

    @staticmethod
    def figure(mine, base):
        """Returns a figure that was measured together with the base."""
        return Figure("case", "termgallery", "", "x", "", usages(*mine), "base", usages(*base))

    def test_a_fifth_more_is_worse_a_twentieth_is_not(self):
        """The limit is a tenth."""
        base = (0.50, 0.52, 0.51)
        self.assertTrue(compare.is_suspect(self.figure((0.60, 0.63, 0.62), base)))
        self.assertFalse(compare.is_suspect(self.figure((0.52, 0.54, 0.53), base)))

    def test_a_disturbed_run_is_not_worse(self):
        """The best run is as good as the base's best."""
        self.assertFalse(compare.is_suspect(self.figure((0.50, 0.90, 0.90), (0.50, 0.52, 0.51))))

    def test_milliseconds_of_a_start_are_not_worse(self):
        """A difference of 2 ms does not count."""
        self.assertFalse(compare.is_suspect(self.figure((0.012,) * 3, (0.010,) * 3)))

    def test_the_report_names_what_became_worse(self):
        """The report counts the worse figures."""
        text, worse = compare.report([self.figure((2, 2, 2), (1, 1, 1)),
                                      self.figure((1, 1, 1), (1, 1, 1))])
        self.assertEqual(worse, 1)
        self.assertIn("WORSE: case, x: time 2.00×", text)


if __name__ == "__main__":
    unittest.main()
