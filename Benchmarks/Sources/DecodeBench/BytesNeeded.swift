import Decoders
import Measuring

/// How much of each file must have come before its thumbnail doesn't change any more.
struct BytesNeeded {
    /// Bytes, and the part of the whole file, by picture.
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

    /// The shortest beginning whose thumbnail is final, by bisection: what was final once stays so.
    ///
    /// A thumbnail that says so and isn't that of the whole file doesn't count.
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

    /// What is shown while the rest is on its way; nil if that is nothing.
    private static func preview(of bytes: [UInt8]) -> DecodedImage? {
        let options = DecodingOptions(
            targetSize: PixelSize(width: 40, height: 40),
            acceptsTruncation: true
        )
        // Too short to have a header is the usual reason.
        return try? DecoderRegistry.standard.decode(bytes, options: options)
    }
}
