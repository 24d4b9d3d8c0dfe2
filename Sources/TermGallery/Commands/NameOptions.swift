import ArgumentParser

// The options below use `String` and `String?` instead of the types of their values because the
// parser looks up several conformances for each option type in a command. Each additional type
// costs a million instructions at every start.

extension Option where Value == String {
    /// Creates an option whose value must be a raw value of `choices`.
    init<Choice: CaseIterable & RawRepresentable<String>>(
        wrappedValue: String,
        oneOf choices: Choice.Type,
        help: ArgumentHelp
    ) {
        let names = choices.allCases.map(\.rawValue)
        var help = help
        // The parser shows the default value only for options without a transform.
        help.abstract = "\(help.abstract.dropLast()) (default: \(wrappedValue))."
        self.init(
            wrappedValue: wrappedValue,
            help: help,
            completion: .list(names),
            transform: { try $0.oneOf(names) }
        )
    }
}

extension Option where Value == String? {
    /// Creates an optional option whose value must be a raw value of `choices`.
    init<Choice: CaseIterable & RawRepresentable<String>>(
        oneOf choices: Choice.Type,
        help: ArgumentHelp
    ) {
        let names = choices.allCases.map(\.rawValue)
        self.init(help: help, completion: .list(names), transform: { try $0.oneOf(names) })
    }
}

extension String {
    /// Returns the string unchanged, or throws an error if it is not one of the names.
    fileprivate func oneOf(_ names: [String]) throws -> String {
        guard !names.contains(self) else { return self }
        throw ValidationError("the values are \(names.joined(separator: ", ")).")
    }
}
