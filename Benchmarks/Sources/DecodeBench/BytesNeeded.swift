import Decoders
import Measuring

/// The number of bytes of each file after which its thumbnail no longer changes.
struct BytesNeeded {
    /// The number of bytes and their share of the whole file, by image.
    private let needs: [(byteCount: Double, share: Double)]

    init(_ kind: PictureKind) throws {
        needs = try Corpus.files(kind).map { path in
            let bytes = try FileBytes.read(path)
            let count = try Self.bytesNeeded(of: bytes)
            return (Double(count), Double(count) / Double(bytes.count))
        }
    }

    var medianKilobytes: Double { needs.map(\.byteCount).median / 1000 }
    var medianPercent: Double { needs.map(\.share).median * 100 }
    var worstKilobytes: Double { (needs.map(\.byteCount).max() ?? 0) / 1000 }
    var worstPercent: Double { (needs.map(\.share).max() ?? 0) * 100 }

    /// Finds the shortest prefix whose thumbnail is final, by bisection, because a final thumbnail
    /// stays final with more bytes.
    ///
    /// A thumbnail that is marked as final but differs from the thumbnail of the whole file does
    /// not count.
    private static func bytesNeeded(of bytes: [UInt8]) throws -> Int {
        let whole = try Contest.decode(bytes, ownWay: true)
        var (tooFew, enough) = (0, bytes.count)
        while enough - tooFew > 1 {
            let middle = (tooFew + enough) / 2
            let preview = preview(of: Array(bytes[..<middle]))
            if preview?.isFinal == true, preview?.pixels == whole.pixels {
                enough = middle
            } else {
                tooFew = middle
            }
        }
        return enough
    }

    /// Returns the image that is shown while the rest of the file arrives, or nil without one.
    private static func preview(of bytes: [UInt8]) -> DecodedImage? {
        let options = DecodingOptions(
            targetSize: PixelSize(width: 40, height: 40),
            acceptsTruncation: true
        )
        // The usual reason for a failure is a prefix that is too short for the header.
        return try? DecoderRegistry.standard.decode(bytes, options: options)
    }
}
