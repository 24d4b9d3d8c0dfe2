/// Turns the bytes of one format into pixels; stateless, synchronous, callable on any thread.
public protocol ImageDecoder: Sendable {
    /// The format it decodes.
    var format: ImageFormat { get }

    /// Whether these first bytes of a file are of its format.
    func canDecode(_ prefix: [UInt8]) -> Bool

    /// Reads the header only.
    func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties

    /// Decodes at the size asked for; blocks for as long as that takes.
    func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage
}
