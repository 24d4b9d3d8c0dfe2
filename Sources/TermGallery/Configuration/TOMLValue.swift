/// A value of a TOML document with its position for error messages.
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

    /// The name of the kind of value, for the user.
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

    /// The text, or nil if this is not a string.
    var string: String? { if case .string(let text) = content { text } else { nil } }
    /// The table, or nil if this is not a table.
    var table: TOMLTable? { if case .table(let table) = content { table } else { nil } }
    /// The strings of an array of strings, or the single string, and nil for anything else.
    var strings: [TOMLValue]? {
        switch content {
        case .string: [self]
        case .array(let values): values.allSatisfy { $0.string != nil } ? values : nil
        case .integer, .number, .boolean, .table: nil
        }
    }
}

/// A table of keys and values, in the order in which they were written.
struct TOMLTable: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        let key: String
        let position: TextPosition
        var value: TOMLValue
    }

    /// The way in which a table was created, which determines what may be added later.
    enum Origin: Equatable, Sendable {
        /// Created by a header, or the document itself.
        case header
        /// Created as the parent of another table, or by a dotted key.
        case implied
        /// Created by `{ … }`, and complete.
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

/// A position in a text, counted from 1; columns count characters.
struct TextPosition: Equatable, Comparable, Sendable {
    var line = 1
    var column = 1

    /// The position of a fault that concerns the file and not a part of its text.
    static let wholeFile = TextPosition(line: 0, column: 0)

    static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// An error in a text, with its position.
struct TextFault: Error, Equatable {
    let position: TextPosition
    let text: String
}
