internal import CFeedLibraries

extension JSONValue {
    /// Creates a value from UTF-8 text; a byte order mark is allowed.
    ///
    /// libjansson is loaded on first use.
    package init(
        parsing bytes: some Collection<UInt8>,
        limits: JSONLimits = JSONLimits()
    ) throws(JSONFault) {
        guard cfl_json_load() else { throw .noLibrary }
        let contiguous = bytes.withContiguousStorageIfAvailable { Self.parsed($0, limits) }
        let result =
            contiguous ?? Array(bytes).withUnsafeBufferPointer { Self.parsed($0, limits) }
        self = try result.get()
    }

    private static func parsed(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ limits: JSONLimits
    ) -> Result<JSONValue, JSONFault> {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let text = UnsafeBufferPointer(rebasing: bytes[start...])
        do throws(JSONFault) {
            let scan = try JSONScan(text, limits: limits)
            guard !scan.numbers.isEmpty else {
                return .success(try Self.parsed(text, numbers: nil) { start + $0 })
            }
            let numbered = NumberedText(text, scan.numbers)
            let value = try numbered.bytes.withUnsafeBufferPointer { (bytes) throws(JSONFault) in
                try Self.parsed(bytes, numbers: numbered.texts) { start + numbered.place(of: $0) }
            }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    private static func parsed(
        _ bytes: UnsafeBufferPointer<UInt8>,
        numbers: [String]?,
        place: (Int) -> Int
    ) throws(JSONFault) -> JSONValue {
        guard let base = bytes.baseAddress else {
            throw .invalid(position: place(0), reason: reason(.ends_early))
        }
        var fault = cfl_json_fault.syntax
        var position = 0
        guard let value = cfl_json_parse(base, bytes.count, &fault, &position) else {
            throw .invalid(position: place(position), reason: reason(fault))
        }
        defer { cfl_json_release(value) }
        return JSONValue(value, numbers)
    }

    /// Creates a value by copying a value from libjansson.
    ///
    /// The recursion is safe because the scan limits the depth of the value.
    private init(_ value: OpaquePointer, _ numbers: [String]?) {
        switch cfl_json_kind_of(value) {
        case .object:
            var members: [Member] = []
            var next = cfl_json_first_member(value)
            while let member = next {
                var count = 0
                let name = cfl_json_member_name(member, &count)
                members.append(
                    Member(
                        name: Self.text(name, count),
                        value: JSONValue(cfl_json_member_value(member), numbers)
                    )
                )
                next = cfl_json_next_member(value, member)
            }
            self = .object(members)
        case .array:
            self = .array(
                (0..<cfl_json_array_count(value)).map {
                    JSONValue(cfl_json_array_value(value, $0), numbers)
                }
            )
        case .string:
            var count = 0
            let text = cfl_json_string(value, &count)
            self = .string(Self.text(text, count))
        case .integer:
            let integer = cfl_json_integer(value)
            self = .number(numbers?[Int(integer)] ?? String(integer))
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        // Real numbers are never passed to the library.
        case .null, .real: self = .null
        }
    }

    private static func text(_ start: UnsafePointer<CChar>, _ count: Int) -> String {
        start.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
    }

    private static func reason(_ fault: cfl_json_fault) -> String {
        switch fault {
        case .syntax: "unexpected character"
        case .ends_early: "unexpected end of data"
        case .more_follows: "data after the end"
        case .text: "a string is not UTF-8"
        case .depth: "nested too deeply"
        case .number: "a number is too large"
        case .zero_in_key: "a NUL byte in a key"
        case .memory: "not enough memory"
        }
    }
}

/// JSON text in which each number is replaced by its index in a list.
///
/// libjansson keeps only 64 bits of a number and rejects larger numbers. The list contains each
/// number exactly as written.
private struct NumberedText {
    private(set) var bytes: [UInt8] = []
    private(set) var texts: [String] = []
    /// The position of each number in this text and in the original text.
    private var places: [(here: Int, there: Int)] = []

    init(_ source: UnsafeBufferPointer<UInt8>, _ numbers: [Range<Int>]) {
        bytes.reserveCapacity(source.count)
        texts.reserveCapacity(numbers.count)
        var last = 0
        for number in numbers {
            bytes += source[last..<number.lowerBound]
            places.append((bytes.count, number.lowerBound))
            bytes += "\(texts.count)".utf8
            texts.append(String(decoding: source[number], as: UTF8.self))
            last = number.upperBound
        }
        bytes += source[last...]
    }

    /// Converts a position in this text to a position in the original text.
    func place(of here: Int) -> Int {
        guard let index = places.lastIndex(where: { $0.here <= here }) else { return here }
        let behind = here - places[index].here
        let (own, original) = ("\(index)".utf8.count, texts[index].utf8.count)
        return places[index].there + (behind < own ? 0 : behind - own + original)
    }
}
