/// What was to be reached and what was; printed at the end of a benchmark, kept or not.
public struct Goals: Sendable {
    private struct Row {
        let what: String
        let goal: String
        let found: String
        let holds: Bool
    }

    private var rows: [Row] = []

    /// Makes an empty list.
    public init() {}

    /// A figure that shall be at least as large as `goal`.
    public mutating func check(
        _ what: String,
        _ found: Double,
        atLeast goal: Double,
        unit: String
    ) {
        note(what, "at least \(goal.text())\(unit)", found.text() + unit, holds: found >= goal)
    }

    /// A figure that shall stay below `goal`.
    public mutating func check(_ what: String, _ found: Double, under goal: Double, unit: String) {
        note(what, "under \(goal.text())\(unit)", found.text() + unit, holds: found < goal)
    }

    /// Something that is so or isn't.
    public mutating func check(_ what: String, _ holds: Bool) {
        note(what, "yes", holds ? "yes" : "no", holds: holds)
    }

    /// Prints all of them.
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
