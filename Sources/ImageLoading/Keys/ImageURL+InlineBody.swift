internal import FoundationEssentials

extension ImageURL {
    /// The bytes inside a `data:` URL (RFC 2397); nil for other schemes.
    ///
    /// The media type is ignored, as the bytes say what they are. Base 64 that isn't any is an
    /// error of stage `request`, no bytes at all is `emptyBody`.
    public func inlineBody() throws(ImageLoadingError) -> [UInt8]? {
        guard scheme == .data, let comma = absoluteString.utf8.firstIndex(of: UInt8(ascii: ","))
        else { return nil }
        let head = absoluteString.utf8[..<comma]
        let content = PercentCoding.decoded(
            absoluteString.utf8[absoluteString.utf8.index(after: comma)...]
        )
        let isBase64 = ASCII.lowercased(head.suffix(7)) == Array(";base64".utf8)
        guard let bytes = isBase64 ? Self.base64Decoded(content) : content else {
            throw .invalidURL(absoluteString, because: "bad base 64")
        }
        guard !bytes.isEmpty else {
            throw ImageLoadingError(stage: .request, kind: .permanent, reason: .emptyBody)
        }
        return bytes
    }

    /// White space and missing padding are forgiven, as browsers do.
    private static func base64Decoded(_ text: [UInt8]) -> [UInt8]? {
        var digits = text.filter { !" \t\r\n\u{C}".utf8.contains($0) }
        if digits.last != UInt8(ascii: "=") {
            digits += [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
        }
        return Data(base64Encoded: Data(digits)).map { Array($0) }
    }
}
