/// A decoder for a file that is still being received.
///
/// The received part is decoded each time it can show more of the image. At the end, the complete
/// file is decoded.
///
///     var decoder = IncrementalDecoder(options: options)
///     for await chunk in chunks {
///         guard let image = decoder.append(chunk) else { continue }
///         show(image)
///         if image.isFinal { return }
///     }
///     show(try decoder.finish())
///
/// The decoder stores all received bytes and decodes on the calling thread.
public struct IncrementalDecoder: Sendable {
    /// The received bytes.
    public private(set) var bytes: [UInt8] = []
    /// The last decoded image, or nil if no image has been decoded yet.
    public private(set) var image: DecodedImage?

    private let options: DecodingOptions
    private let registry: DecoderRegistry
    private let expected: Int?
    private var schedule: DecodingSchedule
    /// The byte count and the decoding result of the complete file.
    private var whole: (byteCount: Int, result: Result<DecodedImage, ImageDecodingError>)?

    /// Creates a decoder for a file of `expected` bytes; pass nil if the length is unknown.
    ///
    /// Previews are also decoded with `options`, except that truncation is always accepted.
    public init(
        options: DecodingOptions,
        registry: DecoderRegistry = .standard,
        expected: Int? = nil
    ) {
        self.options = options
        self.registry = registry
        self.expected = expected
        schedule = DecodingSchedule(
            targetSize: options.targetSize,
            contentMode: options.contentMode,
            acceptsThumbnail: options.acceptsThumbnail
        )
    }

    /// Adds the next bytes; returns a new image if these bytes allow more of the image to be shown.
    ///
    /// The new image is a preview, or it is final (`DecodedImage.isFinal`). More bytes would not
    /// change a final image, so `append` decodes nothing after it. When the last of the `expected`
    /// bytes is added, the image is the result of `finish`. If decoding fails, the result is nil,
    /// because missing bytes may be the cause; call `finish` to get the error. Blocks until the
    /// image is decoded.
    public mutating func append(_ chunk: [UInt8]) -> DecodedImage? {
        let wasWhole = bytes.count >= expected ?? .max
        bytes += chunk
        schedule.advance(to: bytes, of: expected)
        guard image?.isFinal != true else { return nil }
        if !wasWhole, bytes.count >= expected ?? .max { return try? finish() }
        guard schedule.gain > .nothing else { return nil }
        schedule.noteDecode()
        var options = options
        options.acceptsTruncation = true
        // Errors are ignored, because missing bytes may be the cause.
        guard let preview = try? registry.decode(bytes, options: options) else { return nil }
        image = preview
        return preview
    }

    /// Decodes the complete file; call it after the last byte.
    ///
    /// The result or error is the same as from `DecoderRegistry.decode` for `bytes` with the same
    /// options, so damage and missing bytes are errors even if a preview was final. The file is
    /// decoded only once: later calls return the same result. If `append` has already decoded all
    /// `expected` bytes, this method returns that result. Blocks until the image is decoded.
    public mutating func finish() throws(ImageDecodingError) -> DecodedImage {
        if let whole, whole.byteCount == bytes.count { return try whole.result.get() }
        let result: Result<DecodedImage, ImageDecodingError>
        do throws(ImageDecodingError) {
            result = .success(try registry.decode(bytes, options: options))
        } catch {
            result = .failure(error)
        }
        whole = (bytes.count, result)
        image = try result.get()
        return try result.get()
    }
}
