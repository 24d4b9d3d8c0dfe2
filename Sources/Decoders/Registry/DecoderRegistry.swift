/// The decoders a program has, asked by the first bytes of a file; the last registered first.
public struct DecoderRegistry: Sendable {
    /// JPEG and PNG.
    public static let standard = DecoderRegistry(decoders: [JPEGDecoder(), PNGDecoder()])

    /// The first bytes decoders are shown.
    private static let prefixByteCount = 64

    private var decoders: [any ImageDecoder]

    /// Makes a registry of `decoders`, registered in their order.
    public init(decoders: [any ImageDecoder] = []) { self.decoders = decoders }

    /// Adds a decoder that is asked before all others.
    public mutating func register(_ decoder: any ImageDecoder) { decoders.append(decoder) }

    /// Reads the header of a picture with the decoder that knows it.
    public func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties {
        try decoder(for: bytes).probe(bytes)
    }

    /// Decodes a picture with the decoder that knows it; blocks for as long as that takes.
    public func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        try decoder(for: bytes).decode(bytes, options: options)
    }

    private func decoder(for bytes: [UInt8]) throws(ImageDecodingError) -> any ImageDecoder {
        let prefix = Array(bytes.prefix(Self.prefixByteCount))
        guard let decoder = decoders.last(where: { $0.canDecode(prefix) }) else {
            throw .unsupportedFormat(ContentKind.describe(bytes))
        }
        return decoder
    }
}
