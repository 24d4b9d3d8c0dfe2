/// A decoder of one format.
///
/// Decoders have no state. They block until an image is decoded, and they can be called on any
/// thread. Register decoders with `DecoderRegistry.register`.
public protocol ImageDecoder: Sendable {
    /// The format that the decoder supports, with its names, file suffixes and media types.
    var format: ImageFormat { get }

    /// Returns whether a file that starts with `prefix` has this format.
    ///
    /// `prefix` contains the first 1,024 bytes of the file, or all bytes of a shorter file. File
    /// names and content types are never used, because half of the ".jpg" files that cannot be
    /// decoded are HTML pages.
    func canDecode(_ prefix: [UInt8]) -> Bool

    /// Reads the image properties from the header without decoding pixels.
    func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties

    /// Synchronously decodes the image at the requested size.
    func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage

    /// Loads everything that the decoder would otherwise load for its first image.
    ///
    /// This method is called in a helper process before the first image is decoded. Once a helper
    /// process has started to decode, it cannot open libraries or files.
    func prepare()

    /// The name of the group of decoders that share one helper process.
    ///
    /// The name is used only if decoders are isolated in helper processes. It is nil if the decoder
    /// loads no libraries or only small ones. Decoders in a group may start threads.
    var helperGroup: String? { get }

    /// The directories that an isolated decoder may read from, for example for fonts.
    var readableFolders: [String] { get }
}

extension ImageDecoder {
    /// Does nothing.
    public func prepare() {}

    /// Nil, because decoders are not in a group by default.
    public var helperGroup: String? { nil }

    /// An empty array.
    public var readableFolders: [String] { [] }
}

/// A decoder that can read a file without copying it, for example from shared memory.
///
/// The `ImageDecoder` methods that take an array call the methods of this protocol by default.
public protocol InPlaceDecoder: ImageDecoder {
    /// Reads the image properties from the header without decoding pixels.
    func probe(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageDecodingError) -> ImageProperties

    /// Synchronously decodes the image at the requested size.
    ///
    /// `bytes` must not change during the call.
    func decode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage
}

extension InPlaceDecoder {
    /// Reads the image properties from the header without decoding pixels.
    public func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties {
        try bytes.withUnsafeBufferPointer { (bytes) throws(ImageDecodingError) in
            try probe(bytes)
        }
    }

    /// Synchronously decodes the image at the requested size.
    public func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        try bytes.withUnsafeBufferPointer { (bytes) throws(ImageDecodingError) in
            try decode(bytes, options: options)
        }
    }
}

/// A registry of decoders, which are selected by the first 1,024 bytes of a file.
///
/// The most recently registered decoder is tried first. An SVG is recognized by its first element,
/// which may follow a longer preamble.
public struct DecoderRegistry: Sendable {
    /// The decoders for all formats of this build.
    ///
    /// To register your own decoders, copy this registry. JPEG, PNG, BMP, ICO, QOI, PNM, PSD, TGA
    /// and camera RAW are always available. The libraries of the other formats are loaded on first
    /// use. TGA is tried last because it has no signature.
    public static let standard = DecoderRegistry(
        decoders: [TGADecoder()] + LibraryDecoder.all + [
            CameraRAWDecoder(), PSDDecoder(), PNMDecoder(), QOIDecoder(), ICODecoder(),
            BMPDecoder(), PNGDecoder(), JPEGDecoder(),
        ]
    )

    /// The number of bytes needed to detect the format of any file.
    ///
    /// Most formats need fewer bytes, but an SVG may start with long comments.
    package static let prefixByteCount = 16 << 10
    /// The number of bytes passed to `ImageDecoder.canDecode`.
    private static let signatureByteCount = 1_024

    private var decoders: [any ImageDecoder]

    /// Creates a registry and registers `decoders` in order.
    public init(decoders: [any ImageDecoder] = []) { self.decoders = decoders }

    /// Adds a decoder that is tried before all others.
    public mutating func register(_ decoder: any ImageDecoder) { decoders.append(decoder) }

    /// Returns a copy of the registry in which each decoder is replaced by the result of
    /// `transform`.
    package func mapDecoders(_ transform: (any ImageDecoder) -> any ImageDecoder) -> Self {
        DecoderRegistry(decoders: decoders.map(transform))
    }

    /// Prepares the decoders of `group` and the decoders without a group.
    package func prepare(group: String?) {
        for decoder in decoders where decoder.helperGroup == nil || decoder.helperGroup == group {
            decoder.prepare()
        }
    }

    /// Returns the directories that the decoders of `group` read from.
    package func readableFolders(group: String?) -> [String] {
        decoders.filter { $0.helperGroup == group }.flatMap(\.readableFolders)
    }

    /// The formats that need a library that is not installed, each with the package to install.
    ///
    /// Reading this property loads the libraries that are installed.
    package var missingLibraries: [(format: ImageFormat, package: String)] {
        decoders.compactMap { decoder in
            (decoder as? LibraryDecoder)?.missingPackage.map { (decoder.format, $0) }
        }
    }

    /// The formats of the registered decoders, without duplicates, in registration order.
    public var formats: [ImageFormat] {
        decoders.map(\.format).reduce(into: []) { formats, format in
            if !formats.contains(format) { formats.append(format) }
        }
    }

    /// Returns the format of a file that starts with these bytes, or nil if no decoder recognizes
    /// the format.
    ///
    /// 1,024 bytes are enough for all files except an SVG with a longer preamble.
    public func format(of bytes: [UInt8]) -> ImageFormat? { knownDecoder(for: bytes)?.format }

    /// Returns the format for the suffix of a file name, or nil if no decoder supports the suffix.
    ///
    /// The comparison ignores case. The contents of the file may have a different format.
    public func format(ofFileNamed name: String) -> ImageFormat? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let suffix = name[dot...].dropFirst().lowercased()
        return decoders.last { $0.format.fileSuffixes.contains(suffix) }?.format
    }

    /// Returns the format name of an image, video or document, even if no decoder supports it.
    ///
    /// `bytes` contains the first `prefixByteCount` bytes of the file. Returns nil for other files.
    package static func pictureFormat(of bytes: [UInt8]) -> String? {
        if let format = standard.format(of: bytes) { return format.displayName }
        let kind = ContentKind.describe(bytes)
        return ContentKind.isPicture(kind) ? kind : nil
    }

    /// Returns the name of the image, video or document format with this suffix (lowercase, without
    /// a dot) if this module has no decoder for the format.
    package static func foreignFormat(ofSuffix suffix: String) -> String? {
        ContentKind.format(ofSuffix: suffix)
    }

    /// Reads an image's header with the matching decoder.
    public func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties {
        try decoder(for: bytes).probe(bytes)
    }

    /// Returns the properties from an image's header, or nil if reading them would require a
    /// library or more than a few microseconds.
    package func plainHeader(_ bytes: [UInt8]) -> ImageProperties? {
        guard let reader = knownDecoder(for: bytes) as? any HeaderReader else { return nil }
        return bytes.withUnsafeBufferPointer { reader.plainHeader($0) }
    }

    /// Synchronously decodes an image with the matching decoder.
    ///
    /// With `DecodingOptions.acceptsDamage`, a damaged file is decoded twice: the first attempt
    /// finds the error, and the second attempt returns the image.
    public func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let decoder = try decoder(for: bytes)
        var strict = options
        strict.acceptsDamage = false
        let damage: ImageDecodingError
        do throws(ImageDecodingError) {
            return try decoder.decode(bytes, options: strict)
        } catch {
            damage = error
        }
        guard options.acceptsDamage, damage.isDamage else { throw damage }
        do throws(ImageDecodingError) {
            var image = try decoder.decode(bytes, options: options)
            (image.isFinal, image.damage) = (true, damage)
            return image
        } catch {
            // The error of the first attempt is more informative than the position at which the
            // second attempt failed or the features that damaged parts seem to require.
            if case .unsupportedFeature = error { throw damage }
            throw error.isDamage ? damage : error
        }
    }

    /// Reads an image's header; returns nil if no decoder matches.
    ///
    /// If the decoder supports it, the bytes are not copied.
    package func probe(
        inPlace bytes: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> ImageProperties? {
        guard let decoder = knownDecoder(for: bytes) else { return nil }
        guard let inPlace = decoder as? any InPlaceDecoder else {
            return try decoder.probe(Array(bytes))
        }
        return try inPlace.probe(bytes)
    }

    /// Decodes an image; returns nil if no decoder matches.
    ///
    /// If the decoder supports it, the bytes are not copied.
    package func decode(
        inPlace bytes: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage? {
        guard let decoder = knownDecoder(for: bytes) else { return nil }
        guard let inPlace = decoder as? any InPlaceDecoder else {
            return try decoder.decode(Array(bytes), options: options)
        }
        return try inPlace.decode(bytes, options: options)
    }

    private func decoder(for bytes: [UInt8]) throws(ImageDecodingError) -> any ImageDecoder {
        guard let decoder = knownDecoder(for: bytes) else {
            throw .unsupportedFormat(ContentKind.describe(bytes))
        }
        return decoder
    }

    private func knownDecoder(for bytes: some Collection<UInt8>) -> (any ImageDecoder)? {
        let prefix = Array(bytes.prefix(Self.signatureByteCount))
        if let decoder = decoders.last(where: { $0.canDecode(prefix) }) { return decoder }
        // For SVG, the first element determines the format; it may follow a preamble of any length.
        guard MarkupStart.mayStart(prefix) else { return nil }
        let isSVG =
            bytes.withContiguousStorageIfAvailable { MarkupStart.firstElement(of: $0) == "svg" }
            ?? false
        return isSVG ? decoders.last { $0.canDecode(Array("<svg ".utf8)) } : nil
    }
}
