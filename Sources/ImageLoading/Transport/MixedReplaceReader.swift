/// Reads the first part of a `multipart/x-mixed-replace` body.
///
/// Cameras send such bodies: each part is an image that replaces the previous one, and the body
/// never ends. RFC 2046, section 5.1:
///
///     --boundary CRLF header fields CRLF CRLF image CRLF --boundary CRLF …
///
/// The work per byte is constant, and at most `longestHead` bytes are kept.
struct MixedReplaceReader {
    /// The maximum length of the text before the first part, and of the header fields of a part.
    private static let longestHead = 16 << 10

    private enum State {
        /// The text before the image is being received.
        case head
        /// The image is being received; `rest` bytes are missing, or the image ends at a boundary.
        case image(rest: Int?)
        case end
    }

    private let boundary: [UInt8]
    private var state = State.head
    /// The received text before the image, or the bytes that may be the start of a boundary.
    private var pending: [UInt8] = []

    /// Creates a reader for a body with this `Content-Type`; returns nil for any other type.
    init?(contentType: String) {
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
    }

    /// Whether the first image is complete.
    var isAtEnd: Bool { if case .end = state { true } else { false } }

    /// The last bytes of the image if the body has ended without a boundary after it.
    ///
    /// Until then, they may be the start of a boundary.
    var remainder: [UInt8] { if case .image(rest: nil) = state { pending } else { [] } }

    /// Returns the bytes of the first image in the next bytes of the body.
    ///
    /// Returns nil if the body is invalid.
    mutating func read(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        switch state {
        case .end: return []
        case .head:
            pending += bytes
            guard let start = imageStart else {
                return pending.count <= Self.longestHead ? [] : nil
            }
            let rest = Array(pending[start.index...])
            pending = []
            state = .image(rest: start.byteCount)
            return rest.withUnsafeBytes { image(in: $0) }
        case .image: return image(in: bytes)
        }
    }

    /// The position after the empty line that ends the header fields, and the image length if the
    /// fields contain it; nil before the empty line.
    private var imageStart: (index: Int, byteCount: Int?)? {
        var (line, lineStart, isInPart) = ([UInt8](), 0, false)
        var byteCount: Int?
        while let end = pending[lineStart...].firstIndex(of: 0x0A) {
            line = Array(pending[lineStart..<end])
            if line.last == 0x0D { line.removeLast() }
            lineStart = end + 1
            if line.starts(with: boundary) {
                (isInPart, byteCount) = (true, nil)
            } else if line.isEmpty, isInPart {
                // A part may be empty.
                if byteCount != 0 { return (lineStart, byteCount) }
                isInPart = false
            } else if isInPart {
                let field = String(decoding: line, as: UTF8.self).lowercased()
                guard field.hasPrefix("content-length:") else { continue }
                byteCount = Int(field.dropFirst(15).filter { $0 != " " && $0 != "\t" })
            }
        }
        return nil
    }

    private mutating func image(in bytes: UnsafeRawBufferPointer) -> [UInt8] {
        guard case .image(let rest) = state else { return [] }
        if let rest {
            let image = Array(bytes.prefix(max(0, rest)))
            state = rest > image.count ? .image(rest: rest - image.count) : .end
            return image
        }
        pending += bytes
        var (index, kept) = (pending.startIndex, pending.count)
        while let start = pending[index...].firstIndex(of: boundary[0]) {
            let place = pending[start...].prefix(boundary.count)
            if place.elementsEqual(boundary) {
                state = .end
                return Self.withoutLineEnd(pending[..<start])
            }
            if place.count < boundary.count, boundary.starts(with: place) {
                kept = start
                break
            }
            index = start + 1
        }
        // The line end before a boundary is not part of the image.
        kept = max(0, min(kept, pending.count) - 2)
        let image = Array(pending[..<kept])
        pending.removeFirst(kept)
        return image
    }

    private static func withoutLineEnd(_ image: ArraySlice<UInt8>) -> [UInt8] {
        var image = image
        if image.last == 0x0A { image.removeLast() }
        if image.last == 0x0D { image.removeLast() }
        return Array(image)
    }
}
