internal import FoundationEssentials

extension ImageURL {
    /// The bytes that a `data:` URL carries (RFC 2397); nil for other schemes.
    func inlineBytes() throws(ImageLoadingError) -> [UInt8]? {
        guard scheme == .data else { return nil }
        let content = absoluteString.utf8.dropFirst("data:".utf8.count)
        guard let comma = content.firstIndex(of: UInt8(ascii: ",")) else {
            throw Self.malformed
        }
        let isBase64 = content[..<comma].suffix(7).elementsEqual(";base64".utf8)
        let decoded = PercentCoding.decoded(content[content.index(after: comma)...])
        guard isBase64 else { return decoded }
        guard let data = Data(base64Encoded: Data(decoded), options: .ignoreUnknownCharacters)
        else { throw Self.malformed }
        return [UInt8](data)
    }

    private static let malformed = ImageLoadingError(
        stage: .request,
        kind: .permanent,
        reason: .invalidURL("malformed data: URL")
    )
}
