import Decoders

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
