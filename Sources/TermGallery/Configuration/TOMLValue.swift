/// A value of a TOML document and its position, for use in error messages.
struct TOMLValue: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case string(String)
        case integer(Int)
        case number(Double)
        case boolean(Bool)
        case array([TOMLValue])
        case table(TOMLTable)
    }

    let content: Content
    let position: TextPosition

    /// A description of the kind of value, for use in error messages.
    var kindName: String {
        switch content {
        case .string: "a string"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        case .array: "an array"
        case .table: "a table"
        }
    }

    /// The string, or nil if the value is not a string.
    var string: String? { if case .string(let text) = content { text } else { nil } }
    /// The table, or nil if the value is not a table.
    var table: TOMLTable? { if case .table(let table) = content { table } else { nil } }
    /// The strings of an array of strings, or a single string as an array.
    ///
    /// The property is nil for any other value.
    var strings: [TOMLValue]? {
        switch content {
        case .string: [self]
        case .array(let values): values.allSatisfy { $0.string != nil } ? values : nil
        case .integer, .number, .boolean, .table: nil
        }
    }
}

/// A table of keys and values, in their order in the document.
struct TOMLTable: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        let key: String
        let position: TextPosition
        var value: TOMLValue
    }

    /// How a table was created, which determines what may be added to the table later.
    enum Origin: Equatable, Sendable {
        /// The table was created by a header, or is the document itself.
        case header
        /// The table was created implicitly as the parent of another table or by a dotted key.
        case implied
        /// The table was created by `{ … }` and is complete.
        case inline
    }

    var entries: [Entry] = []
    var origin = Origin.implied

    subscript(key: String) -> TOMLValue? {
        entries.first { $0.key == key }?.value
    }

    func index(of key: String) -> Int? {
        entries.firstIndex { $0.key == key }
    }
}

/// A position in text.
///
/// Lines and columns are counted from 1. Columns are counted in Unicode scalars.
struct TextPosition: Equatable, Comparable, Sendable {
    var line = 1
    var column = 1

    /// The position of an error that applies to the entire file.
    static let wholeFile = TextPosition(line: 0, column: 0)

    static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// An error in text, and its position.
struct TextFault: Error, Equatable {
    let position: TextPosition
    let text: String
}
