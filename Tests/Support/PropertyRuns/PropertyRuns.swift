internal import Glibc

/// How many random sequences a property test runs.
///
/// All of them as a rule. A sanitizer makes each twenty times dearer and looks for something else,
/// which a part of them shows as well: `Scripts/test.sh` says which part, in `PROPERTY_RUNS_PERCENT`.
/// With `PROPERTY_RUNS_PERCENT=1000` there are ten times as many, for a night.
public enum PropertyRuns {
    private static let percent = getenv("PROPERTY_RUNS_PERCENT")
        .flatMap { Int(String(cString: $0)) }

    /// Whether server and program are twenty times slower than built for use.
    public static var isSanitized: Bool { (percent ?? 100) < 100 }

    /// What a variable of the environment asks for, else the part of `full` to run, `least` at least.
    public static func count(_ full: Int, unless variable: String, least: Int) -> Int {
        getenv(variable).flatMap { Int(String(cString: $0)) } ?? max(least, count(full))
    }

    /// The part of `full` to run, one at least.
    public static func count(_ full: Int) -> Int {
        max(1, full * max(1, percent ?? 100) / 100)
    }
}
