/// Reads the first part of a `multipart/x-mixed-replace` body.
///
/// Cameras send such bodies: each part is an image that replaces the previous one, and the body
/// never ends. RFC 2046, section 5.1:
///
///     --boundary CRLF header fields CRLF CRLF image CRLF --boundary CRLF …
///
/// The work per byte is constant, also if each piece of the body has one byte. At most
/// `longestHead` bytes and one piece are kept.
package struct MixedReplaceReader {
    /// The maximum length of the text before the first part, and of the header fields of a part.
    private static let longestHead = 16 << 10

    private enum State {
        /// The text before the image is being received.
        case head
        /// The image is being received; `rest` bytes are missing, or the image ends at a boundary.
        case image(rest: Int?)
        case end
    }

    /// The position in the text before the image.
    private struct HeadPosition {
        /// The start of the current line.
        var lineStart = 0
        /// The end of the bytes that were searched for the end of the line.
        var searchEnd = 0
        /// Whether the line is one of the header fields of a part.
        var isInPart = false
        /// The image length in the header fields; nil if they do not contain it.
        var byteCount: Int?
    }

    private let boundary: [UInt8]
    /// The length of the longest proper prefix that is also a suffix, for each prefix of the
    /// boundary, as in the algorithm of Knuth, Morris and Pratt.
    private let borders: [Int]
    private var state = State.head
    private var head = HeadPosition()
    /// The number of bytes of the boundary that the received bytes end with.
    private var matchCount = 0
    /// The received text before the image, or the bytes that may be the start of a boundary.
    private var pending: [UInt8] = []

    /// Creates a reader for a body with this `Content-Type`; returns nil for any other type.
    package init?(contentType: String) {
        // Nearly all types start with a different letter, and splitting costs more than parsing the
        // rest of the response's header.
        let first = contentType.utf8.first { $0 != 0x20 }
        guard first == UInt8(ascii: "m") || first == UInt8(ascii: "M") else { return nil }
        let parts = contentType.split(separator: ";")
        let type = parts.first?.filter { $0 != " " }.lowercased()
        guard type == "multipart/x-mixed-replace" else { return nil }
        let parameters = parts.dropFirst().map { $0.drop { $0 == " " || $0 == "\t" } }
        let value = parameters.first { $0.lowercased().hasPrefix("boundary=") }?.dropFirst(9)
        let name = value?.filter { $0 != "\"" && $0 != " " } ?? ""
        guard !name.isEmpty, name.utf8.count <= 256 else { return nil }
        // Many cameras repeat the two hyphens in the parameter.
        boundary = Array((name.hasPrefix("--") ? name : "--" + name).utf8)
        borders = Self.borders(of: boundary)
    }

    /// Whether the first image is complete.
    package var isAtEnd: Bool { if case .end = state { true } else { false } }

    /// The last bytes of the image if the body has ended without a boundary after it.
    ///
    /// Until then, they may be the start of a boundary.
    package var remainder: [UInt8] { if case .image(rest: nil) = state { pending } else { [] } }

    /// Returns the bytes of the first image in the next bytes of the body.
    ///
    /// Returns nil if the body is invalid.
    package mutating func read(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        switch state {
        case .end: return []
        case .head:
            pending += bytes
            guard let start = nextImageStart() else {
                return pending.count <= Self.longestHead ? [] : nil
            }
            guard start <= Self.longestHead else { return nil }
            let rest = Array(pending[start...])
            pending = []
            state = .image(rest: head.byteCount)
            return rest.withUnsafeBytes { image(in: $0) }
        case .image: return image(in: bytes)
        }
    }

    /// Reads the received lines and returns the position after the empty line that ends the header
    /// fields of a part; nil before that line.
    private mutating func nextImageStart() -> Int? {
        while let end = pending[head.searchEnd...].firstIndex(of: 0x0A) {
            var line = pending[head.lineStart..<end]
            if line.last == 0x0D { line.removeLast() }
            (head.lineStart, head.searchEnd) = (end + 1, end + 1)
            if line.starts(with: boundary) {
                (head.isInPart, head.byteCount) = (true, nil)
            } else if line.isEmpty, head.isInPart {
                // A part may be empty.
                if head.byteCount != 0 { return head.lineStart }
                head.isInPart = false
            } else if head.isInPart {
                let field = String(decoding: line, as: UTF8.self).lowercased()
                guard field.hasPrefix("content-length:") else { continue }
                let value = Int(field.dropFirst(15).filter { $0 != " " && $0 != "\t" })
                head.byteCount = value.flatMap { $0 < 0 ? nil : $0 }
            }
        }
        head.searchEnd = pending.count
        return nil
    }

    private mutating func image(in bytes: UnsafeRawBufferPointer) -> [UInt8] {
        guard case .image(let rest) = state else { return [] }
        if let rest {
            let image = Array(bytes.prefix(max(0, rest)))
            state = rest > image.count ? .image(rest: rest - image.count) : .end
            return image
        }
        let start = pending.count
        pending += bytes
        for index in start..<pending.count {
            match(pending[index])
            guard matchCount == boundary.count else { continue }
            state = .end
            return Self.withoutLineEnd(pending[...index].dropLast(matchCount))
        }
        // The line end before a boundary is not part of the image.
        let kept = max(0, pending.count - matchCount - 2)
        let image = Array(pending[..<kept])
        pending.removeFirst(kept)
        return image
    }

    /// Updates `matchCount` for the next byte.
    private mutating func match(_ byte: UInt8) {
        while matchCount > 0, boundary[matchCount] != byte {
            matchCount = borders[matchCount - 1]
        }
        if boundary[matchCount] == byte { matchCount += 1 }
    }

    private static func borders(of text: [UInt8]) -> [Int] {
        var borders = [0]
        for byte in text.dropFirst() {
            var length = borders[borders.count - 1]
            while length > 0, text[length] != byte { length = borders[length - 1] }
            borders.append(text[length] == byte ? length + 1 : 0)
        }
        return borders
    }

    private static func withoutLineEnd(_ image: ArraySlice<UInt8>) -> [UInt8] {
        var image = image
        if image.last == 0x0A { image.removeLast() }
        if image.last == 0x0D { image.removeLast() }
        return Array(image)
    }
}
