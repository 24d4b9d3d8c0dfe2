/// Schedules the decoding of a file while it is being received.
///
/// Each decode starts at the first byte, so decoding after each chunk would take quadratic time.
/// The schedule therefore reads the headers: a progressive JPEG shows more only after another
/// complete scan, and other files only after enough additional bytes. Between two previews, the
/// number of received bytes must grow by at least half, so all decodes together take less than
/// three times as long as the last one. In a file with several scans, a preview takes about as long
/// as the entire image, so the number of bytes must double. The schedule does not wait if the image
/// may be final (`DecodedImage.isFinal`).
///
/// The schedule reads each byte once and stores none. Damaged bytes are harmless: at worst, a
/// decode fails or starts later.
package struct DecodingSchedule: Sendable {
    /// The expected benefit of decoding all received bytes.
    package enum Gain: Int, Hashable, Sendable, Comparable {
        /// The result would show no more than the result of the last decode.
        case nothing
        /// The result would be a preview that shows more than the last decode.
        case preview
        /// The result would probably be final: more bytes would not change its pixels.
        case final

        /// Compares gains; `final` is the largest.
        package static func < (left: Gain, right: Gain) -> Bool { left.rawValue < right.rawValue }
    }

    /// The type of the file, if known.
    private enum Kind {
        case unknown
        case jpeg(PartialJPEG)
        case png(PartialPNG)
        /// HEIC and AVIF.
        case heif
        /// Any other format.
        case other
    }

    /// The minimum number of bytes to decode; fewer bytes contain little more than headers.
    static let minimumByteCount = 4 << 10
    /// The number of bytes at the start of a HEIC file in which the thumbnail is expected.
    ///
    /// Phones store the thumbnail, which takes 5 to 25 KiB, before the image and after up to 4 KiB
    /// of metadata.
    private static let thumbnailByteCount = 64 << 10

    private let target: ThumbnailTarget
    private let acceptsThumbnail: Bool
    private var kind = Kind.unknown
    private var byteCount = 0
    private var expected: Int?
    private var decodedByteCount = 0

    /// Creates a schedule for an image that is scaled into `targetSize`; nil means full size.
    ///
    /// If `acceptsThumbnail` is true, a thumbnail in the file may replace the image.
    package init(
        targetSize: PixelSize?,
        contentMode: ImageContentMode = .fit,
        acceptsThumbnail: Bool = false
    ) {
        target = ThumbnailTarget(box: targetSize, mode: contentMode)
        self.acceptsThumbnail = acceptsThumbnail && targetSize != nil
    }

    /// Updates the schedule with all received bytes, including the bytes passed in earlier calls.
    ///
    /// If there are fewer bytes than in the last call, they are treated as a new file. `expected`
    /// is the length of the complete file, or nil if it is unknown.
    package mutating func advance(to bytes: [UInt8], of expected: Int? = nil) {
        if bytes.count < byteCount {
            kind = .unknown
            decodedByteCount = 0
        }
        byteCount = bytes.count
        self.expected = expected
        switch kind {
        case .unknown:
            kind = Self.kind(of: bytes)
            if case .jpeg = kind { advance(to: bytes, of: expected) }
        case .jpeg(var partial):
            // `kind` is reset so that `partial` is modified in place instead of copied.
            kind = .unknown
            partial.advance(to: bytes)
            kind = .jpeg(partial)
        case .png, .heif, .other: break
        }
    }

    /// The expected benefit of decoding all received bytes.
    package var gain: Gain {
        // After 90 % of the file, the complete image is ready as soon as a preview would be.
        if let expected, byteCount > expected - expected / 10 { return .nothing }
        switch kind {
        case .unknown: return .nothing
        case .jpeg(let partial):
            if acceptsThumbnail, partial.hasNewThumbnail(for: target) { return .final }
            return partial.gain(for: target, received)
        case .png(let partial):
            if partial.mayBeFinal(received, for: target) { return .final }
            return received.hasGrown ? .preview : .nothing
        case .heif:
            guard received.hasGrown else { return .nothing }
            return acceptsThumbnail && byteCount <= Self.thumbnailByteCount ? .final : .preview
        case .other: return received.hasGrown ? .preview : .nothing
        }
    }

    /// Whether decoding the received bytes can return a final image.
    ///
    /// False for formats in which an image is final only when the file is complete, to avoid
    /// useless decodes.
    package var mayBeFinal: Bool {
        guard gain > .nothing else { return false }
        switch kind {
        case .unknown: return false
        case .jpeg: return gain == .final
        case .png(let partial): return partial.isInterlaced
        case .heif: return acceptsThumbnail
        // The first frame of an animation is complete long before the file.
        case .other: return true
        }
    }

    /// Whether decoding the received bytes can return the thumbnail in the file instead of
    /// the image.
    package var mayBeThumbnail: Bool {
        guard acceptsThumbnail, gain > .nothing else { return false }
        switch kind {
        case .jpeg(let partial): return partial.hasNewThumbnail(for: target)
        case .heif: return true
        case .unknown, .png, .other: return false
        }
    }

    /// Records that all received bytes have been decoded.
    package mutating func noteDecode() {
        decodedByteCount = byteCount
        guard case .jpeg(var partial) = kind else { return }
        kind = .unknown
        partial.noteDecode()
        kind = .jpeg(partial)
    }

    /// The number of bytes received, the number expected, and the number received before the last
    /// decode.
    struct Received {
        let byteCount: Int
        let expected: Int?
        let decoded: Int

        /// Whether enough bytes have been received since the last decode to decode more rows.
        var hasGrown: Bool { byteCount >= max(minimumByteCount, decoded + decoded / 2) }
        /// Whether enough bytes have been received since the last decode to decode more scans.
        ///
        /// Each decode reads all previous bytes again. In addition, converting the coefficients to
        /// pixels takes the same time after each scan.
        var hasDoubled: Bool { byteCount - decoded >= decoded }
    }

    private var received: Received {
        Received(byteCount: byteCount, expected: expected, decoded: decodedByteCount)
    }

    private static func kind(of bytes: [UInt8]) -> Kind {
        // The signature and the IHDR chunk with its length and checksum are required.
        guard bytes.count >= PartialPNG.headerByteCount else { return .unknown }
        if JPEGDecoder().canDecode(bytes) { return .jpeg(PartialJPEG()) }
        if PNGDecoder().canDecode(bytes), let png = PartialPNG(bytes) { return .png(png) }
        let isHEIF = [LibraryDecoder.heic, .avif].contains { $0.canDecode(bytes) }
        return isHEIF ? .heif : .other
    }
}

/// The box into which an image is scaled while its EXIF orientation is still unknown.
struct ThumbnailTarget {
    /// The size of the box, or nil for full size.
    let box: PixelSize?
    let mode: ImageContentMode

    /// Returns whether `condition` is true for the scaled size of an image of `size`, with or
    /// without a rotation by 90°.
    func holds(for size: PixelSize, _ condition: (PixelSize) -> Bool) -> Bool {
        guard let box, !size.isEmpty, !box.isEmpty else { return false }
        let turned = PixelSize(width: box.height, height: box.width)
        return [box, turned].contains { condition(size.scaled(into: $0, mode: mode)) }
    }
}

/// Estimates when enough of a PNG has been received for a final image at a reduced size.
///
/// The end of an Adam7 pass can be found only by inflating the data, so it is estimated from
/// measurements of 20 images: the seven passes ended at 2, 4, 8, 15, 28, 54 and 100 % of the bytes.
struct PartialPNG {
    /// The length of the signature and IHDR.
    static let headerByteCount = 33

    /// The pass counts after which the decoder may finish early, each with the percentage of the
    /// file that these passes usually take.
    private static let ends: [(passCount: Int, percent: Int)] = [(3, 8), (5, 28)]

    private let size: PixelSize
    let isInterlaced: Bool

    /// Reads the header; returns nil if IHDR is not the first chunk.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerByteCount,
            bytes[12..<16].elementsEqual("IHDR".utf8)
        else { return nil }
        let number = { (start: Int) in
            bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        size = PixelSize(width: number(16), height: number(20))
        isInterlaced = bytes[28] == 1
    }

    /// Returns whether the last pass that `target` needs may be complete.
    ///
    /// The estimate may be wrong, so the number of attempts is limited: each attempt needs a third
    /// more bytes than the last decode, and attempts end when three times the estimated share of
    /// the file has been received.
    func mayBeFinal(_ received: DecodingSchedule.Received, for target: ThumbnailTarget) -> Bool {
        guard isInterlaced, let expected = received.expected else { return false }
        return Self.ends.contains { end in
            let (least, most) = (expected / 100 * end.percent, expected / 100 * end.percent * 3)
            let next = max(least, received.decoded + received.decoded / 3)
            guard next <= received.byteCount, received.byteCount <= most else { return false }
            return target.holds(for: size) { wanted in
                Adam7(of: size, for: wanted).map { $0.passCount <= end.passCount } ?? false
            }
        }
    }
}
