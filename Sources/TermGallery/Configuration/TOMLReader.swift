import Feeds
import TerminalUI

/// A strict parser for the subset of TOML 1.0 that a configuration needs.
///
/// It supports tables, dotted and quoted keys, single-line strings, numbers, Booleans, arrays and
/// inline tables. Dates, multi-line strings and arrays of tables are rejected with a specific
/// message. The parser is handwritten because error messages need the positions of values, which no
/// available library provides. This type has no side effects. Any input produces a document or an
/// error, in time that grows with the size of the input.
struct TOMLReader {
    /// The maximum nesting depth, which prevents a stack overflow.
    static let maximumDepth = 16
    /// The maximum number of keys per table.
    ///
    /// The limit is needed because each new key is compared with all others.
    static let maximumKeyCount = 1_000
    /// The maximum size of a document in bytes.
    static let maximumByteCount = 1 << 20

    var scalars: [Unicode.Scalar]
    var index = 0
    var position = TextPosition()
    private var document = TOMLTable(origin: .header)

    /// Reads a document.
    static func read(_ bytes: [UInt8]) throws(TextFault) -> TOMLTable {
        guard bytes.count <= maximumByteCount else {
            throw TextFault(position: .wholeFile, text: "the file is larger than 1 MiB")
        }
        var reader = TOMLReader(scalars: try decoded(bytes))
        try reader.readDocument()
        return reader.document
    }

    private init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    private static func decoded(_ bytes: [UInt8]) throws(TextFault) -> [Unicode.Scalar] {
        // Some editors write a byte order mark at the start of a file.
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        var scalars: [Unicode.Scalar] = []
        var position = TextPosition()
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar):
                scalars.append(scalar)
                position.column += 1
                if scalar == "\n" { position = TextPosition(line: position.line + 1) }
            case .emptyInput: return scalars
            case .error: throw TextFault(position: position, text: "invalid UTF-8")
            }
        }
    }

    // MARK: Characters

    /// The next character, or nil at the end.
    var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    mutating func advance() {
        guard index < scalars.count else { return }
        position.column += 1
        if scalars[index] == "\n" { position = TextPosition(line: position.line + 1) }
        index += 1
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        advance()
        return true
    }

    func fault(_ text: String) -> TextFault {
        TextFault(position: position, text: text)
    }

    /// A description of the next character for an error message.
    var found: String {
        switch next {
        case nil: "the end of the file"
        case "\n", "\r": "the end of the line"
        case let scalar?: "“\(scalar)”"
        }
    }

    mutating func skipBlanks() {
        while next == " " || next == "\t" { advance() }
    }

    /// Skips a comment to the end of the line.
    ///
    /// Does nothing if the next character does not start a comment.
    private mutating func skipComment() throws(TextFault) {
        guard next == "#" else { return }
        while let scalar = next, scalar != "\n" {
            let isEnd = scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
            guard isEnd || !Self.isControl(scalar) else {
                throw fault("a comment must not contain control characters")
            }
            advance()
        }
    }

    /// Skips blanks, comments and line breaks, for example between two values of an array.
    mutating func skipLines() throws(TextFault) {
        while true {
            skipBlanks()
            try skipComment()
            guard next == "\n" || next == "\r" else { return }
            try takeLineEnd()
        }
    }

    private mutating func takeLineEnd() throws(TextFault) {
        let isReturn = take("\r")
        guard take("\n") else {
            throw fault(isReturn ? "a carriage return without a line feed" : "expected the end")
        }
    }

    private mutating func endLine() throws(TextFault) {
        skipBlanks()
        try skipComment()
        guard next != nil else { return }
        guard next == "\n" || next == "\r" else {
            throw fault("expected the end of the line, found \(found)")
        }
        try takeLineEnd()
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        (scalar.value < 0x20 && scalar != "\t") || scalar.value == 0x7F
    }

    // MARK: The document

    private mutating func readDocument() throws(TextFault) {
        /// The keys of the last table header, such as `[a.b]`, which identify the current table.
        var path: [Key] = []
        while true {
            try skipLines()
            guard let scalar = next else { return }
            if scalar == "[" {
                path = try readHeader()
            } else {
                let keys = try readKeys()
                try takeEquals()
                let value = try readValue(depth: path.count + keys.count)
                try document.insert(value, at: path[...], keys[...])
            }
            try endLine()
        }
    }

    private mutating func readHeader() throws(TextFault) -> [Key] {
        advance()
        guard next != "[" else { throw fault("arrays of tables, [[…]], are not supported here") }
        let keys = try readKeys()
        guard take("]") else { throw fault("expected “]”, found \(found)") }
        try document.open(keys[...])
        return keys
    }

    mutating func takeEquals() throws(TextFault) {
        guard take("=") else { throw fault("expected “=” after the key, found \(found)") }
    }

    // MARK: Keys

    /// A part of a dotted key.
    struct Key: Equatable {
        let name: String
        let position: TextPosition
    }

    /// Reads a dotted key and any blanks after it.
    mutating func readKeys() throws(TextFault) -> [Key] {
        var keys: [Key] = []
        repeat {
            skipBlanks()
            keys.append(try readKey())
            guard keys.count <= Self.maximumDepth else { throw fault("keys are nested too deeply") }
            skipBlanks()
        } while take(".")
        return keys
    }

    private mutating func readKey() throws(TextFault) -> Key {
        let start = position
        if next == "\"" || next == "'" {
            return Key(name: try readString(), position: start)
        }
        var name = ""
        while let scalar = next, Self.isBare(scalar) {
            name.unicodeScalars.append(scalar)
            advance()
        }
        guard !name.isEmpty else { throw fault("expected a key, found \(found)") }
        return Key(name: name, position: start)
    }

    static func isBare(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }
}

extension TOMLTable {
    /// Creates the table named by a header's keys.
    ///
    /// Each table may have only one header.
    fileprivate mutating func open(_ keys: ArraySlice<TOMLReader.Key>) throws(TextFault) {
        guard let key = keys.first else { return }
        try changeTable(key) { table throws(TextFault) in
            guard keys.count == 1 else { return try table.open(keys.dropFirst()) }
            guard table.origin == .implied else {
                throw TextFault(position: key.position, text: "[\(key.name)] is defined twice")
            }
            table.origin = .header
        }
    }

    /// Inserts a value into the table at `path`, under the dotted key `keys`.
    fileprivate mutating func insert(
        _ value: TOMLValue,
        at path: ArraySlice<TOMLReader.Key>,
        _ keys: ArraySlice<TOMLReader.Key>
    ) throws(TextFault) {
        if let key = path.first {
            return try changeTable(key) { table throws(TextFault) in
                try table.insert(value, at: path.dropFirst(), keys)
            }
        }
        try insert(value, keys)
    }

    /// Inserts a value under a dotted key.
    ///
    /// A key must not occur more than once.
    mutating func insert(
        _ value: TOMLValue,
        _ keys: ArraySlice<TOMLReader.Key>
    ) throws(TextFault) {
        guard let key = keys.first else { return }
        guard keys.count > 1 else {
            guard index(of: key.name) == nil else {
                throw TextFault(position: key.position, text: "“\(key.name)” is defined twice")
            }
            try add(key, value)
            return
        }
        try changeTable(key) { table throws(TextFault) in
            try table.insert(value, keys.dropFirst())
        }
    }

    private mutating func add(_ key: TOMLReader.Key, _ value: TOMLValue) throws(TextFault) {
        guard entries.count < TOMLReader.maximumKeyCount else {
            throw TextFault(position: key.position, text: "too many keys in one table")
        }
        entries.append(Entry(key: key.name, position: key.position, value: value))
    }

    private mutating func changeTable(
        _ key: TOMLReader.Key,
        _ change: (inout TOMLTable) throws(TextFault) -> Void
    ) throws(TextFault) {
        guard let index = index(of: key.name) else {
            var table = TOMLTable()
            try change(&table)
            return try add(key, TOMLValue(content: .table(table), position: key.position))
        }
        guard case .table(var table) = entries[index].value.content, table.origin != .inline else {
            throw TextFault(position: key.position, text: "“\(key.name)” has a value already")
        }
        try change(&table)
        let position = entries[index].value.position
        entries[index].value = TOMLValue(content: .table(table), position: position)
    }
}
