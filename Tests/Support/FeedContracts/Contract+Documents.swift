public import DecoderContracts
internal import Feeds

extension Contract {
    /// Any bytes are JSON or a fault inside of them; JSON is written as the same JSON, and found in its
    /// text as it is found in its values.
    public static let json = Contract("JSON") { (bytes) throws(BrokenContract) in
        let value: JSONValue
        do throws(JSONFault) {
            value = try JSONValue(parsing: bytes)
        } catch {
            guard case .invalid(let position, _) = error else { return }
            try require((0...bytes.count).contains(position), "a fault at \(position)")
            walk(bytes)
            return
        }
        let again = try? JSONValue(parsing: value.description.utf8)
        try require(again == value, "written as \(value.description.debugDescription)")
        let found = walk(bytes)
        try require(
            found.elements == (value.array?.count ?? found.elements),
            "\(found.elements) elements of \(value.array?.count ?? 0)"
        )
        let texts = texts(in: value)
        try require(found.values <= texts || hasEqualNames(bytes), "\(found.values) of \(texts)")
    }

    /// Goes through a text whatever it is.
    @discardableResult
    private static func walk(_ bytes: [UInt8]) -> (elements: Int, values: Int) {
        bytes.withUnsafeBufferPointer { buffer in
            let start = JSONText.skippingSpace(buffer, from: 0)
            let isArray = start < buffer.count && buffer[start] == 0x5B
            let elements =
                isArray ? JSONText.elements(buffer, ofArrayAt: start).starts.count : 0
            var values = 0
            JSONText.forEachValue(buffer) { place in
                values += 1
                _ = JSONText.unescaped(buffer[place])
                return true
            }
            _ = JSONText.value(at: [[0x61], [0x30]], buffer)
            return (elements, values)
        }
    }

    private static func texts(in value: JSONValue) -> Int {
        switch value {
        case .null, .bool: 0
        case .number, .string: 1
        case .array(let values): values.map(texts).reduce(0, +)
        case .object(let members): members.map { texts(in: $0.value) }.reduce(0, +)
        }
    }

    /// Of members with one name a value has the last only.
    private static func hasEqualNames(_ bytes: [UInt8]) -> Bool { bytes.contains(0x7B) }

    /// Any bytes are a table: each record follows the previous one, its fields cover it, and the
    /// complete records are a prefix of all records.
    public static let tables = Contract("Tables") { (bytes) throws(BrokenContract) in
        for delimiter in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
            try check(bytes, TableDialect(delimiter: delimiter))
        }
        _ = TableDialect.sniffed(fromHeading: bytes)
    }

    private static func check(
        _ bytes: [UInt8],
        _ dialect: TableDialect
    ) throws(BrokenContract) {
        let (all, whole) = bytes.withUnsafeBufferPointer { buffer in
            (
                dialect.records(buffer, from: 0, isEnd: true),
                dialect.records(buffer, from: 0, isEnd: false)
            )
        }
        try require(all.starts == all.starts.sorted(), "records out of order")
        try require(all.starts.starts(with: whole.starts), "whole records are others")
        try require(whole.end <= bytes.count, "records end at \(whole.end)")
        let ends = all.starts.dropFirst().map { Int($0) } + [all.end]
        for (start, end) in zip(all.starts, ends) {
            try require(Int(start) < end && end <= bytes.count, "a record from \(start) to \(end)")
            let record = Array(bytes[Int(start)..<end])
            let places = record.withUnsafeBufferPointer { buffer in
                let places = dialect.fields(buffer)
                for place in places { _ = TableDialect.content(buffer[place]) }
                return places
            }
            let length = places.map(\.count).reduce(places.count - 1, +)
            try require(length == record.count, "fields of \(length) bytes of \(record.count)")
        }
    }
}
