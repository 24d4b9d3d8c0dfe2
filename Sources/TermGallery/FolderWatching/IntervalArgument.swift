import ArgumentParser

/// A duration on the command line, such as "500ms", "10s", "5m", "1h" or a number of seconds.
struct IntervalArgument: ExpressibleByArgument, Equatable {
    let duration: Duration

    private static let units: [(suffix: String, milliseconds: Double)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("", 1000),
    ]

    init?(argument: String) {
        let text = argument.lowercased()
        guard let unit = Self.units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
        let digits = text.dropLast(unit.suffix.count)
        guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let number = Double(digits), number > 0, number * unit.milliseconds <= 86_400_000
        else { return nil }
        duration = .milliseconds(Int((number * unit.milliseconds).rounded()))
    }
}

/// The options for actions that the gallery performs automatically.
struct PaceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show images one after another, each for this many seconds, and start over at the end.",
            valueName: "seconds"
        )
    )
    var slideshow: IntervalArgument?

    @Option(
        help: ArgumentHelp(
            "Check at this interval (10s, 5m) whether the images on the screen have changed.",
            valueName: "time"
        )
    )
    var refreshEvery: IntervalArgument?

    func validate() throws {
        guard slideshow.map({ $0.duration >= .milliseconds(100) }) ?? true else {
            throw ValidationError("--slideshow takes 0.1 seconds or more.")
        }
        guard refreshEvery.map({ $0.duration >= .seconds(1) }) ?? true else {
            throw ValidationError("--refresh-every takes a second or more.")
        }
    }
}
