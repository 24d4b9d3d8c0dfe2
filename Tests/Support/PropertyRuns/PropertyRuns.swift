internal import Glibc

/// The number of random sequences of a property test.
///
/// By default all of them run. A sanitizer makes each twenty times slower and searches for other
/// errors, which a part of the sequences reveals too. `Scripts/test.sh` sets this part in
/// `PROPERTY_RUNS_PERCENT`. With `PROPERTY_RUNS_PERCENT=1000` ten times as many run.
public enum PropertyRuns {
    private static let percent = getenv("PROPERTY_RUNS_PERCENT")
        .flatMap { Int(String(cString: $0)) }

    /// Whether server and program are twenty times slower than built for use.
    public static var isSanitized: Bool { (percent ?? 100) < 100 }

    /// Returns the value of an environment variable, or else the part of `full` to run, at least
    /// `least`.
    public static func count(_ full: Int, unless variable: String, least: Int) -> Int {
        getenv(variable).flatMap { Int(String(cString: $0)) } ?? max(least, count(full))
    }

    /// The part of `full` to run, one at least.
    public static func count(_ full: Int) -> Int {
        max(1, full * max(1, percent ?? 100) / 100)
    }
}
