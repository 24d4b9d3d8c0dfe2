/// A value of a TOML document, and where it stands, so that what is wrong with it can be named there.
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

    /// What a person calls such a value.
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

    /// The text, if it is one.
    var string: String? { if case .string(let text) = content { text } else { nil } }
    /// The table, if it is one.
    var table: TOMLTable? { if case .table(let table) = content { table } else { nil } }
    /// The texts of an array of texts, or the one text; nil of anything else.
    var strings: [TOMLValue]? {
        switch content {
        case .string: [self]
        case .array(let values): values.allSatisfy { $0.string != nil } ? values : nil
        case .integer, .number, .boolean, .table: nil
        }
    }
}

/// Keys and values in the order in which they were written.
struct TOMLTable: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        let key: String
        let position: TextPosition
        var value: TOMLValue
    }

    /// How a table came to be, which decides on what may be added to it later.
    enum Origin: Equatable, Sendable {
        /// A header named it, or the document itself.
        case header
        /// On the way to another table, or by a dotted key.
        case implied
        /// `{ … }`, which is complete.
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

/// A place in a text, from 1; columns count characters.
struct TextPosition: Equatable, Comparable, Sendable {
    var line = 1
    var column = 1

    static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// What is wrong with a text, and where.
struct TextFault: Error, Equatable {
    let position: TextPosition
    let text: String
}
