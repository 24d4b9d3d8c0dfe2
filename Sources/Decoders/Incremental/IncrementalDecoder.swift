/// Decodes a file while it is being received.
///
/// The received part is decoded whenever there is more to show, and the complete file is decoded at
/// the end.
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
    /// The last decoded image; nil if no image has been decoded yet.
    public private(set) var image: DecodedImage?

    private let options: DecodingOptions
    private let registry: DecoderRegistry
    private let expected: Int?
    private var schedule: DecodingSchedule
    /// The result of decoding the complete file, and the number of bytes decoded.
    private var whole: (byteCount: Int, result: Result<DecodedImage, ImageDecodingError>)?

    /// Creates a decoder for a file of `expected` bytes; `expected` is nil if the length is
    /// unknown.
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

    /// Adds the next bytes; returns an image if there was more to show and decoding succeeded.
    ///
    /// The image is a preview or final (`DecodedImage.isFinal`). A final image would not be changed
    /// by more bytes. When the last of the `expected` bytes is added, the image is the result of
    /// `finish`. After a final image, `append` decodes nothing more. A result of nil does not mean
    /// an error: `finish` throws the errors of a file. Blocks until done.
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
    /// decoded only once: later calls, and a call after `append` has decoded all `expected` bytes,
    /// return the same result. Blocks until done.
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
