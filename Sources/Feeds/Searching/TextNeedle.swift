internal import Glibc
@_spi(_Unicode) internal import Swift

/// A search text prepared for searching the bytes of lines.
///
/// Case matters only if the text contains an uppercase letter.
package struct TextNeedle: Hashable, Sendable {
    package let text: String
    /// Whether the text contains an uppercase letter and case therefore matters.
    package let isCaseSensitive: Bool
    /// The composed form of the text and, if it differs, the decomposed form (UAX #15).
    ///
    /// In file names from macOS, "é" is an "e" followed by an accent.
    fileprivate let forms: [NeedleForm]

    /// The length of every match in bytes, or nil if it can vary.
    package let byteCount: Int?

    /// Creates a needle for a search text, or returns nil if the text is empty.
    package init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
        let isCaseSensitive = text.unicodeScalars.contains { $0.properties.isUppercase }
        self.isCaseSensitive = isCaseSensitive
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        let spellings = isASCII ? [Array(text.unicodeScalars)] : Self.normalForms(of: text)
        forms = spellings.map { NeedleForm($0, isCaseSensitive: isCaseSensitive) }
        byteCount = isASCII ? text.utf8.count : nil
    }

    /// Returns the composed form, and the decomposed form if it differs.
    private static func normalForms(of text: String) -> [[Unicode.Scalar]] {
        let (composed, decomposed) = (Array(text._nfc), Array(text._nfd))
        return composed == decomposed ? [composed] : [composed, decomposed]
    }

    /// Returns whether a buffer contains the text.
    package func isFound(in buffer: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in forms.indices where forms[index].isFound(in: buffer) { return true }
        return false
    }

    package func isFound(in bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { isFound(in: $0) }
    }
}

/// One normalization form of the text.
private struct NeedleForm: Hashable, Sendable {
    /// The bytes of the text, with ASCII letters in lowercase unless case matters.
    private let bytes: [UInt8]
    private let isCaseSensitive: Bool
    /// The possible encodings of each character; empty if all characters are ASCII.
    private let units: [[[UInt8]]]
    /// The byte that is searched first, because it is probably the rarest byte of the text.
    private let anchor: Anchor

    private struct Anchor: Hashable {
        /// The offset of the byte from the start of the text.
        var offset: Int
        /// The two possible values of the byte, one for each case of its character; they may be
        /// equal.
        var first: UInt8
        var second: UInt8
    }

    init(_ scalars: [Unicode.Scalar], isCaseSensitive: Bool) {
        self.isCaseSensitive = isCaseSensitive
        let ways = scalars.map { Self.spellings(of: $0, isCaseSensitive: isCaseSensitive) }
        bytes = scalars.flatMap { Array(String($0).utf8) }
        units = scalars.allSatisfy(\.isASCII) ? [] : ways
        anchor = Self.anchor(of: ways)
    }

    var anchorOffset: Int { anchor.offset }
    var anchorBytes: (UInt8, UInt8) { (anchor.first, anchor.second) }

    /// Returns whether the buffer contains the text at the position `start`.
    func begins(at start: Int, in buffer: UnsafeBufferPointer<UInt8>, end: Int) -> Bool {
        guard units.isEmpty else { return beginsByUnits(at: start, in: buffer, end: end) }
        guard start + bytes.count <= end else { return false }
        for (offset, wanted) in bytes.enumerated() {
            let byte = buffer[start + offset]
            if byte == wanted { continue }
            guard !isCaseSensitive, byte &- 0x41 < 26, byte | 0x20 == wanted else { return false }
        }
        return true
    }

    /// Returns whether a short buffer contains the text; `FormScanner` is faster for long buffers.
    func isFound(in buffer: UnsafeBufferPointer<UInt8>) -> Bool {
        for (place, byte) in buffer.enumerated().dropFirst(anchor.offset)
        where byte == anchor.first || byte == anchor.second {
            if begins(at: place - anchor.offset, in: buffer, end: buffer.count) { return true }
        }
        return false
    }

    private func beginsByUnits(
        at start: Int,
        in buffer: UnsafeBufferPointer<UInt8>,
        end: Int
    ) -> Bool {
        var place = start
        for ways in units {
            let way = ways.first { way in
                place + way.count <= end
                    && way.enumerated().allSatisfy { buffer[place + $0] == $1 }
            }
            guard let way else { return false }
            place += way.count
        }
        return true
    }

    /// Returns the UTF-8 encodings of a character in both cases.
    ///
    /// If case matters, returns only the encoding of the character itself.
    private static func spellings(of scalar: Unicode.Scalar, isCaseSensitive: Bool) -> [[UInt8]] {
        let own = Array(String(scalar).utf8)
        guard !isCaseSensitive else { return [own] }
        let properties = scalar.properties
        // If the other case of a character consists of several characters, only its own case
        // matches.
        let others = [properties.uppercaseMapping, properties.titlecaseMapping]
            .filter { $0.unicodeScalars.count == 1 }.map { Array($0.utf8) }
        return [own] + Array(Set(others)).filter { $0 != own }
    }

    /// Returns the rarest byte among the first bytes of the characters.
    ///
    /// Only characters at a fixed offset in each match are considered.
    private static func anchor(of ways: [[[UInt8]]]) -> Anchor {
        var offset = 0
        var best: (anchor: Anchor, rarity: Int)?
        for spellings in ways {
            let firsts = Set(spellings.map { $0[0] }).sorted()
            if firsts.count <= 2, let first = firsts.first, let second = firsts.last {
                let rarity = firsts.map(rarity).min() ?? 0
                if best.map({ rarity > $0.rarity }) ?? true {
                    best = (Anchor(offset: offset, first: first, second: second), rarity)
                }
            }
            let lengths = Set(spellings.map(\.count))
            guard lengths.count == 1, let length = lengths.first else { break }
            offset += length
        }
        return best?.anchor ?? Anchor(offset: 0, first: ways[0][0][0], second: ways[0][0][0])
    }

    /// Returns the rarity of a byte in lists of URLs; a larger value means a rarer byte.
    private static func rarity(_ byte: UInt8) -> Int {
        commonFirst.firstIndex(of: byte.lowercasedASCII) ?? commonFirst.count
    }

    private static let commonFirst = Array("/.e0tpa1so:hi-mrn2gc3l45678d9ujw%_fbvkyxzq ".utf8)
}

/// Finds the matches of a search text in a buffer, one after another.
package struct NeedleScanner {
    private var scanner: FormScanner
    /// The scanner for the other normalization form with its last result, or nil if the text has
    /// only one form.
    private var other: (scanner: FormScanner, found: Int?, from: Int)?

    /// Creates a scanner for a range of `buffer`.
    package init(_ needle: TextNeedle, buffer: UnsafeBufferPointer<UInt8>, range: Range<Int>) {
        scanner = FormScanner(needle.forms[0], buffer: buffer, range: range)
        if needle.forms.count > 1 {
            other = (FormScanner(needle.forms[1], buffer: buffer, range: range), nil, -1)
        }
    }

    /// Returns the position of the next match at or after `start`, or nil if there is none.
    package mutating func next(from start: Int) -> Int? {
        let place = scanner.next(from: start)
        guard other != nil else { return place }
        return [place, nextOfOther(from: start)].compactMap(\.self).min()
    }

    /// Returns the position of the next match of the other form, or nil if there is none.
    ///
    /// The last result is reused until the search has passed it.
    private mutating func nextOfOther(from start: Int) -> Int? {
        guard var state = other else { return nil }
        let isKnown = state.from >= 0 && state.from <= start && (state.found ?? .max) >= start
        if !isKnown {
            state.found = state.scanner.next(from: start)
            state.from = start
            other = state
        }
        return state.found
    }
}

/// Finds the matches of one normalization form of a search text.
///
/// The anchor is the byte of the text that is probably rarest. Each case of the anchor is searched
/// with `memchr`. The position found is kept until the search has passed it, so a rare uppercase
/// letter does not require searching the same bytes again.
private struct FormScanner {
    private let needle: NeedleForm
    private let buffer: UnsafeBufferPointer<UInt8>
    private let end: Int
    private var first = -1
    private var second = -1

    init(_ needle: NeedleForm, buffer: UnsafeBufferPointer<UInt8>, range: Range<Int>) {
        self.needle = needle
        self.buffer = buffer
        end = range.upperBound
    }

    /// Returns the position of the next match at or after `start`, or nil if there is none.
    mutating func next(from start: Int) -> Int? {
        let offset = needle.anchorOffset
        var place = start + offset
        while true {
            let anchor = nextAnchor(from: place)
            guard anchor < end else { return nil }
            if needle.begins(at: anchor - offset, in: buffer, end: end) { return anchor - offset }
            place = anchor + 1
        }
    }

    private mutating func nextAnchor(from place: Int) -> Int {
        let (one, other) = needle.anchorBytes
        if first < place { first = find(one, from: place) }
        guard one != other else { return first }
        if second < place { second = find(other, from: place) }
        return min(first, second)
    }

    private func find(_ byte: UInt8, from place: Int) -> Int {
        guard place < end, let base = buffer.baseAddress,
            let found = memchr(base + place, Int32(byte), end - place)
        else { return end }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes start with a data URL with a lowercase scheme.
    package var startsAsData: Bool {
        count > 4 && self[0] == UInt8(ascii: "d") && starts(with: "data:".utf8)
    }
}
