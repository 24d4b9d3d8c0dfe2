package indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number exactly as written, of any size.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// The members in document order.
    ///
    /// If several members have the same name, only the last is kept.
    case object([Member])

    /// A name and its value.
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSONValue

        package init(name: String, value: JSONValue) {
            (self.name, self.value) = (name, value)
        }
    }

    /// Returns the value of the member with this name, or nil if the member is missing or this
    /// value is not an object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// Returns the value at a dotted path of member names and array indices, such as `media.0.url`.
    ///
    /// Indices start at 0. Members with dots in their names are also found.
    package subscript(path path: String) -> JSONValue? {
        self[path: path[...]]
    }

    private subscript(path path: Substring) -> JSONValue? {
        if let value = step(path) { return value }
        guard let dot = path.firstIndex(of: ".") else { return nil }
        return step(path[..<dot])?[path: path[path.index(after: dot)...]]
    }

    private func step(_ name: Substring) -> JSONValue? {
        switch self {
        case .object(let members): return members.first { $0.name == name }?.value
        case .array(let values):
            guard let index = Int(name), values.indices.contains(index) else { return nil }
            return values[index]
        case .null, .bool, .number, .string: return nil
        }
    }

    /// The string or the number exactly as written, or nil for other values.
    package var text: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .null, .bool, .array, .object: nil
        }
    }

    /// The string, or nil for other values.
    package var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The values of an array, or nil for other values.
    package var array: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The members of an object, or nil for other values.
    package var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as single-line JSON without spaces.
    package var description: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): Self.write(string, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.write(member.name, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{8}": text += "\\b"
            case "\u{C}": text += "\\f"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
