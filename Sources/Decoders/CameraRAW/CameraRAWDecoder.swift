extension ImageFormat {
    /// The RAW files of cameras that are not TIFF files: CR3, RAF, ORF and RW2.
    ///
    /// The largest JPEG preview in the file is the image.
    public static let cameraRAW = ImageFormat(
        rawValue: "raw",
        displayName: "RAW",
        fileSuffixes: ["cr3", "raf", "orf", "ori", "rw2", "rwl"],
        mediaTypes: [
            "image/x-canon-cr3", "image/x-fuji-raf", "image/x-olympus-orf", "image/x-panasonic-rw2",
        ]
    )
}

/// A decoder that shows the largest JPEG preview of a camera's RAW file.
///
/// Sensor data is not developed. RAW files that are TIFF files, such as DNG, NEF, CR2, ARW, PEF and
/// SRW, are decoded by the TIFF decoder in the same way.
public struct CameraRAWDecoder: InPlaceDecoder {
    /// The RAW format.
    public var format: ImageFormat { .cameraRAW }

    /// Creates a decoder.
    public init() {}

    /// Loads littlecms if it is installed, for the color profile of a preview.
    public func prepare() { JPEGDecoder().prepare() }

    /// Returns whether the bytes start with the signature of a RAW file.
    public func canDecode(_ prefix: [UInt8]) -> Bool { RAWContainer(prefix) != nil }

    /// Reads the image properties from the header of the preview without decoding pixels.
    public func probe(
        _ buffer: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> ImageProperties {
        try preview(of: buffer).jpeg.probe(as: format)
    }

    /// Synchronously decodes the preview at the requested size.
    ///
    /// If the file ends before one of its previews, which may be larger than the others, the file
    /// is truncated. If the options accept that, the largest available preview is decoded.
    public func decode(
        _ buffer: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let (jpeg, isCut) = try preview(of: buffer)
        guard !isCut || options.acceptsTruncation || options.acceptsDamage else {
            throw .truncated(format)
        }
        var image = try jpeg.decode(as: format, options: options)
        if isCut { image.isFinal = false }
        return image
    }

    private func preview(
        of file: UnsafeBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> (jpeg: EmbeddedJPEG, isCut: Bool) {
        guard let container = RAWContainer(file.prefix(RAWContainer.signatureByteCount)) else {
            throw .truncated(format)
        }
        var previews = RAWPreviews(file)
        container.find(&previews)
        if let jpeg = previews.page.flatMap({ EmbeddedJPEG($0, of: file) }) {
            return (jpeg, previews.isCut)
        }
        guard !previews.isCut else { throw .truncated(format) }
        throw .unsupportedFeature(format, "sensor data without a JPEG preview")
    }
}

/// The containers of RAW files.
enum RAWContainer {
    /// Canon's CR3, an ISO base media file.
    case canon
    /// Fujifilm's RAF.
    case fujifilm
    /// Olympus's ORF and Panasonic's RW2, which differ from TIFF in the number after "II" or "MM".
    case directories

    /// The number of bytes that are inspected.
    static let signatureByteCount = 64

    private static let directorySignatures: [[UInt8]] = [
        Array("IIRO".utf8), Array("IIRS".utf8), Array("MMOR".utf8), Array("IIU\0".utf8),
    ]

    /// Returns nil if no container starts with the bytes of `prefix`.
    ///
    /// A list of file names may start with the same letters, but not with the zeros that follow.
    init?(_ prefix: some Collection<UInt8>) {
        let start = Array(prefix.prefix(Self.signatureByteCount))
        guard !ContentKind.startsLikeText(start) else { return nil }
        if start.dropFirst(4).starts(with: "ftypcrx ".utf8) {
            self = .canon
        } else if start.starts(with: "FUJIFILMCCD-RAW ".utf8) {
            self = .fujifilm
        } else if Self.directorySignatures.contains(where: start.starts) {
            self = .directories
        } else {
            return nil
        }
    }

    /// Adds all previews of a file with this container to `previews`.
    func find(_ previews: inout RAWPreviews) {
        switch self {
        case .canon: previews.findInBoxes()
        case .fujifilm: previews.findInHeader()
        case .directories: previews.findInDirectories()
        }
    }
}
