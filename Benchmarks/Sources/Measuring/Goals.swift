/// The goals and the results of a benchmark, printed at its end whether or not the goals were
/// reached.
public struct Goals: Sendable {
    private struct Row {
        let what: String
        let goal: String
        let found: String
        let holds: Bool
    }

    private var rows: [Row] = []

    /// Creates an empty list.
    public init() {}

    /// Records a figure that must be at least `goal`.
    public mutating func check(
        _ what: String,
        _ found: Double,
        atLeast goal: Double,
        unit: String
    ) {
        note(what, "at least \(goal.text())\(unit)", found.text() + unit, holds: found >= goal)
    }

    /// Records a figure that must be below `goal`.
    public mutating func check(_ what: String, _ found: Double, under goal: Double, unit: String) {
        note(what, "under \(goal.text())\(unit)", found.text() + unit, holds: found < goal)
    }

    /// Records a condition.
    public mutating func check(_ what: String, _ holds: Bool) {
        note(what, "yes", holds ? "yes" : "no", holds: holds)
    }

    /// Prints all goals.
    public func printSummary() {
        print("\ngoals")
        printTable(
            [["", "goal", "found", ""]]
                + rows.map { [$0.what, $0.goal, $0.found, $0.holds ? "holds" : "does not hold"] }
        )
    }

    private mutating func note(_ what: String, _ goal: String, _ found: String, holds: Bool) {
        rows.append(Row(what: what, goal: goal, found: found, holds: holds))
    }
}
