/// The value of a `srcset` attribute: an image in several sizes.
///
/// The parser follows "parse a srcset attribute" in the HTML standard. The value contains URLs with
/// size descriptors, separated by commas. Commas may also occur in URLs and in parentheses.
package struct SourceSet: Equatable {
    package struct Candidate: Equatable {
        package let url: String
        /// The width in image pixels.
        package var width: Int?
        /// The number of image pixels per CSS pixel.
        package var density: Double?
    }

    package private(set) var candidates: [Candidate] = []

    /// The maximum number of candidates; a larger number is a mistake or an attack.
    private static let mostCandidates = 50

    package init(_ text: String) {
        var rest = text.utf8[...]
        while candidates.count < Self.mostCandidates {
            rest = rest.drop { Self.isSpace($0) || $0 == Self.comma }
            guard !rest.isEmpty else { return }
            var url = rest.prefix { !Self.isSpace($0) }
            rest = rest[url.endIndex...]
            var descriptors: [Substring] = []
            if url.last == Self.comma {
                while url.last == Self.comma { url = url.dropLast() }
            } else {
                descriptors = Self.descriptors(&rest)
            }
            if let candidate = Self.candidate(String(Substring(url)), descriptors) {
                candidates.append(candidate)
            }
        }
    }

    /// Returns the descriptors of one URL, up to the next comma.
    private static func descriptors(_ rest: inout Substring.UTF8View) -> [Substring] {
        var descriptors: [Substring] = []
        var start = rest.startIndex
        var isInParentheses = false
        var index = rest.startIndex
        func end(at index: String.Index) {
            if start < index { descriptors.append(Substring(rest[start..<index])) }
            start = rest.endIndex
        }
        while index < rest.endIndex {
            let byte = rest[index]
            let next = rest.index(after: index)
            if isInParentheses {
                isInParentheses = byte != UInt8(ascii: ")")
            } else if byte == comma {
                end(at: index)
                rest = rest[next...]
                return descriptors
            } else if isSpace(byte) {
                end(at: index)
                start = next
            } else {
                isInParentheses = byte == UInt8(ascii: "(")
            }
            index = next
        }
        end(at: rest.endIndex)
        rest = rest[rest.endIndex...]
        return descriptors
    }

    /// Creates a candidate; returns nil if the descriptors are invalid.
    private static func candidate(_ url: String, _ descriptors: [Substring]) -> Candidate? {
        var candidate = Candidate(url: url)
        var height: Int?
        for descriptor in descriptors {
            let value = descriptor.dropLast()
            switch descriptor.utf8.last {
            case UInt8(ascii: "w"):
                guard candidate.width == nil, candidate.density == nil, let width = whole(value)
                else { return nil }
                candidate.width = width
            case UInt8(ascii: "x"):
                guard candidate.width == nil, candidate.density == nil, height == nil,
                    let density = number(value), density >= 0
                else { return nil }
                candidate.density = density
            case UInt8(ascii: "h"):
                guard height == nil, candidate.density == nil, let some = whole(value) else {
                    return nil
                }
                height = some
            default: return nil
            }
        }
        return height != nil && candidate.width == nil ? nil : candidate
    }

    /// Parses a positive integer that consists only of digits; values larger than any image are
    /// clamped.
    private static func whole(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        let value = min(Int(text) ?? .max, 1 << 20)
        return value > 0 ? value : nil
    }

    /// Parses a "valid floating-point number" as defined by the HTML standard.
    ///
    /// Swift also accepts other forms, such as "+1", "1." and "inf".
    private static func number(_ text: Substring) -> Double? {
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let isDigit: (UInt8) -> Bool = { $0 &- 0x30 < 10 }
        let digits = rest.prefix(while: isDigit)
        rest = rest[digits.endIndex...]
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: isDigit)
            guard !fraction.isEmpty else { return nil }
            rest = rest[fraction.endIndex...]
        } else if digits.isEmpty {
            return nil
        }
        if let sign = rest.first, sign | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
                rest = rest.dropFirst()
            }
            guard !rest.isEmpty else { return nil }
            rest = rest.drop(while: isDigit)
        }
        return rest.isEmpty ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
    }

    private static let comma = UInt8(ascii: ",")

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
    }
}
