/// A parser that finds the first element of an XML or HTML document.
///
/// A byte order mark, a declaration, stylesheets, comments and a document type may precede the
/// element.
///
/// Supports UTF-8, other supersets of ASCII, and UTF-16. If a document is compressed with gzip, its
/// first `inflatedByteCount` bytes are inflated. The running time is linear in the number of bytes
/// before the element.
struct MarkupStart {
    /// The number of bytes that are inflated from the start of a gzip file.
    private static let inflatedByteCount = 64 << 10
    /// The maximum number of characters in an element name.
    private static let longestName = 64

    /// Returns whether an XML or HTML document may start with these bytes.
    static func mayStart(_ prefix: [UInt8]) -> Bool {
        guard let first = prefix.first(where: { !$0.isSpace }) else { return false }
        return [UInt8(ascii: "<"), 0xEF, 0xFE, 0xFF, 0, Gunzip.signature[0]].contains(first)
    }

    /// Returns the local name of the first element in lowercase, or nil if the bytes are not markup
    /// or end inside the name.
    static func firstElement(of file: UnsafeBufferPointer<UInt8>) -> String? {
        guard file.starts(with: Gunzip.signature) else { return elementName(in: file) }
        let (start, _) = Gunzip.inflate(file, byteCount: inflatedByteCount)
        return start.withUnsafeBufferPointer(elementName)
    }

    private static func elementName(in text: UnsafeBufferPointer<UInt8>) -> String? {
        var start = MarkupStart(text)
        return start.elementName()
    }

    private let text: UnsafeBufferPointer<UInt8>
    /// The number of bytes per character, and the offset of the low byte in a character.
    private let width: Int
    private let lowByte: Int
    /// The index of the next character.
    private var position = 0

    private init(_ text: UnsafeBufferPointer<UInt8>) {
        let head = Array(text.prefix(3))
        self.text = text
        switch head.prefix(2) {
        case [0xFF, 0xFE], [UInt8(ascii: "<"), 0]: (width, lowByte) = (2, 0)
        case [0xFE, 0xFF], [0, UInt8(ascii: "<")]: (width, lowByte) = (2, 1)
        default: (width, lowByte) = (1, 0)
        }
        if head == [0xEF, 0xBB, 0xBF] { position = 3 }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { position = 1 }
    }

    /// The next character; 0xFF if it is not ASCII, nil at the end.
    private var next: UInt8? { character(at: position) }

    private func character(at index: Int) -> UInt8? {
        let start = index * width
        guard start + width <= text.count else { return nil }
        if width == 2, text[start + 1 - lowByte] != 0 { return 0xFF }
        return text[start + lowByte]
    }

    private func isAt(_ string: StaticString) -> Bool {
        (0..<string.utf8CodeUnitCount).allSatisfy {
            character(at: position + $0).map(Self.lowercase) == string.utf8Start[$0]
        }
    }

    private mutating func elementName() -> String? {
        while true {
            while let byte = next, byte.isSpace { position += 1 }
            if isAt("<?") {
                skip(past: "?>")
            } else if isAt("<!--") {
                position += 4
                skip(past: "-->")
            } else if isAt("<!doctype html>") {
                // The document is an HTML page, regardless of its first element.
                return "html"
            } else if isAt("<!doctype") {
                skipDocumentType()
            } else {
                return next == UInt8(ascii: "<") ? name() : nil
            }
            if next == nil { return nil }
        }
    }

    private mutating func skip(past end: StaticString) {
        while next != nil, !isAt(end) { position += 1 }
        position += end.utf8CodeUnitCount
    }

    /// Skips a document type declaration, including the declarations in brackets.
    ///
    /// A `>` in quotes or in a comment does not end the document type.
    private mutating func skipDocumentType() {
        var isInBrackets = false
        while let byte = next {
            if isAt("<!--") {
                position += 4
                skip(past: "-->")
                continue
            }
            position += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                while let other = next, other != byte { position += 1 }
                position += 1
            case UInt8(ascii: "["): isInBrackets = true
            case UInt8(ascii: "]"): isInBrackets = false
            case UInt8(ascii: ">") where !isInBrackets: return
            default: break
            }
        }
    }

    private mutating func name() -> String? {
        position += 1
        var name: [UInt8] = []
        while let byte = next, !byte.isSpace, ![0x2F, 0x3E].contains(byte) {
            name.append(Self.lowercase(byte))
            position += 1
            guard name.count <= Self.longestName else { return nil }
        }
        guard next != nil else { return nil }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name[...]
        return String(decoding: local, as: UTF8.self)
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

extension UInt8 {
    /// Whether the byte is a space, a tab or a line break in ASCII.
    var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
