internal import CSandbox
internal import Decoders

/// Decodes images in a helper process.
///
/// The program's own process reads only the first 1,024 bytes of a file (`canDecode`), the preamble
/// of an SVG, and simple headers.
struct IsolatedDecoder: HeaderReader {
    let decoder: any ImageDecoder
    let helpers: DecoderHelpers
    /// Whether simple headers are read in the program's own process, by code that uses no library.
    var readsPlainHeaders = true

    var format: ImageFormat { decoder.format }

    func canDecode(_ prefix: [UInt8]) -> Bool { decoder.canDecode(prefix) }

    func prepare() { decoder.prepare() }

    var helperGroup: String? { decoder.helperGroup }

    var readableFolders: [String] { decoder.readableFolders }

    func plainHeader(_ bytes: UnsafeBufferPointer<UInt8>) -> ImageProperties? {
        readsPlainHeaders ? (decoder as? any HeaderReader)?.plainHeader(bytes) : nil
    }

    func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties {
        let task = HelperTask(
            bytes: bytes,
            format: format,
            group: helperGroup,
            options: DecodingOptions(),
            work: .read_header
        )
        if let image = try helpers.image(for: task) { return image.properties }
        return try decoder.probe(bytes)
    }

    func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let task = HelperTask(
            bytes: bytes,
            format: format,
            group: helperGroup,
            options: options,
            work: .decode
        )
        if let image = try helpers.image(for: task) { return image }
        return try decoder.decode(bytes, options: options)
    }
}

extension DecoderRegistry {
    /// Returns a configuration's decoders, which use helpers if the configuration requests
    /// isolation.
    ///
    /// `helpers` is nil if the configuration does not request isolation.
    static func isolated(
        _ configuration: ImageManagerConfiguration,
        by helpers: DecoderHelpers?
    ) -> Self {
        guard let helpers else { return configuration.decoders }
        return configuration.decoders.mapDecoders { decoder in
            IsolatedDecoder(
                decoder: decoder,
                helpers: helpers,
                readsPlainHeaders: configuration.isolation != .always
            )
        }
    }
}

/// A task for a helper: decoding an image file, or reading its header or its metadata.
struct HelperTask {
    let bytes: [UInt8]
    /// The format of the decoder that recognized the bytes.
    let format: ImageFormat
    /// The helper group of the decoder that recognized the bytes.
    let group: String?
    let options: DecodingOptions
    let work: csandbox_work
}
