import Decoders

extension Contract {
    /// Bytes as the EXIF block of a picture: an orientation that both formats agree on, and sides
    /// that go with it.
    public static let exif = Contract("EXIF") { (bytes) throws(BrokenContract) in
        guard let jpeg = Carrier.jpeg(exif: bytes) else { return }
        let properties = try [
            probed(JPEGDecoder(), jpeg), probed(PNGDecoder(), Carrier.png(exif: bytes)),
        ]
        for properties in properties {
            try require(
                (1...8).contains(properties.orientation),
                "orientation \(properties.orientation)"
            )
            let isTurned = properties.orientation > 4
            let size = isTurned ? Carrier.size.turned : Carrier.size
            try require(properties.size == size, "\(properties.size) instead of \(size)")
        }
        try require(
            properties[0].orientation == properties[1].orientation,
            "JPEG: \(properties[0].orientation), PNG: \(properties[1].orientation)"
        )
        // Down to the block itself, where an embedded thumbnail may stand for the picture.
        for count in [jpeg.count, jpeg.count / 2, Carrier.exifEnd(bytes)] {
            let options = DecodingOptions(
                targetSize: PixelSize(width: 4, height: 4),
                limits: limits(pixelCount: 1_000),
                acceptsTruncation: true
            )
            _ = try DecodingResult(JPEGDecoder(), Array(jpeg.prefix(count)), options)
        }
    }

    /// Uses the bytes as the color profile of an image: it is decoded with or without the profile,
    /// unless the profile declares a size above the limit.
    public static let profile = Contract("ICC") { (bytes) throws(BrokenContract) in
        guard let jpeg = Carrier.jpeg(profile: bytes) else { return }
        let options = DecodingOptions(
            targetSize: PixelSize(width: 4, height: 4),
            limits: limits(pixelCount: 1_000)
        )
        let results = try [
            DecodingResult(JPEGDecoder(), jpeg, options),
            DecodingResult(PNGDecoder(), Carrier.png(profile: bytes), options),
        ]
        for result in results {
            if case .error(.tooMuchMetadata) = result { continue }
            try require(result.pixels != nil, "a profile made it unreadable: \(result.summary)")
        }
    }

    private static func probed(
        _ decoder: some ImageDecoder,
        _ bytes: [UInt8]
    ) throws(BrokenContract) -> ImageProperties {
        do throws(ImageDecodingError) {
            return try decoder.probe(bytes)
        } catch {
            throw BrokenContract("\(decoder.format) with a block of \(bytes.count) bytes: \(error)")
        }
    }
}

extension PixelSize {
    fileprivate var turned: PixelSize { PixelSize(width: height, height: width) }
}

/// Small pictures around bytes that are their metadata.
enum Carrier {
    static let size = PixelSize(width: 9, height: 6)

    /// The most that fits into a segment behind its signature.
    private static let maximumByteCount = 65_000

    private static let exifSignature = Array("Exif\0\0".utf8)
    private static let profileSignature = Array("ICC_PROFILE\0".utf8) + [1, 1]

    private static let pixels = PixelBuffer(
        size: size,
        bytes: (0..<size.pixelCount).flatMap { index -> [UInt8] in
            [UInt8(index * 4), UInt8(255 - index * 4), 90, 255]
        },
        hasAlpha: false
    )

    private static let jpegFile = (try? JPEGEncoder.encode(pixels, quality: 80)) ?? []
    private static let pngFile = (try? PNGEncoder.encode(pixels)) ?? []

    /// Nil if the block is too large for a segment.
    static func jpeg(exif block: [UInt8]) -> [UInt8]? {
        jpeg(marker: 0xE1, exifSignature + block)
    }

    static func jpeg(profile: [UInt8]) -> [UInt8]? {
        jpeg(marker: 0xE2, profileSignature + profile)
    }

    static func png(exif block: [UInt8]) -> [UInt8] {
        png(PNGChunk(type: "eXIf", data: block))
    }

    static func png(profile: [UInt8]) -> [UInt8] {
        png(PNGChunk(type: "iCCP", data: Array("profile\0\0".utf8) + StoredZlib.wrap(profile)))
    }

    /// Where the EXIF segment ends in what `jpeg(exif:)` makes.
    static func exifEnd(_ block: [UInt8]) -> Int {
        2 + 4 + exifSignature.count + block.count
    }

    private static func jpeg(marker: UInt8, _ body: [UInt8]) -> [UInt8]? {
        guard body.count <= maximumByteCount else { return nil }
        let length = body.count + 2
        let head = [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)]
        return jpegFile.prefix(2) + head + body + jpegFile.dropFirst(2)
    }

    private static func png(_ chunk: PNGChunk) -> [UInt8] {
        var chunks = PNGChunk.split(pngFile)
        chunks.insert(chunk, at: min(1, chunks.count))
        return PNGChunk.joined(chunks)
    }
}
