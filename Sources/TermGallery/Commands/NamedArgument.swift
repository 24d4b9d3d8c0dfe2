import ArgumentParser

/// The value of an option that takes one of a few names.
///
/// The parser's own implementations for such types work too, but they look up several conformances at
/// run time for each type, a quarter of a million instructions each.
protocol NamedArgument: ExpressibleByArgument, CaseIterable, RawRepresentable<String> {}

extension NamedArgument {
    init?(argument: String) {
        self.init(rawValue: argument)
    }

    var defaultValueDescription: String { rawValue }

    static var allValueStrings: [String] { allCases.map(\.rawValue) }

    static var allValueDescriptions: [String: String] { [:] }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
