/// Decides, while a file arrives, when it is worth decoding what has come.
///
/// Each decode starts at the first byte, so a decode for each chunk would cost the square of the
/// file. The schedule reads the headers instead: a progressive JPEG shows more only when another of
/// its scans is complete, rows only when there are enough more of them. Between two decodes for a
/// preview what has come grows by at least half, so that decodes of rows together cost less than
/// three times the last; with scans, each of which costs about as much as the whole picture, to the
/// double. Only where the picture may be final (`DecodedImage.isFinal`) nothing is waited for.
///
/// Reads each byte once, and keeps none. Damaged bytes do no harm: at worst a decode is tried in
/// vain, or comes later.
package struct DecodingSchedule: Sendable {
    /// What a decode of all that has come would bring.
    package enum Gain: Int, Hashable, Sendable, Comparable {
        /// Nothing that the last one did not.
        case nothing
        /// More to see.
        case preview
        /// Probably pixels that more bytes won't change.
        case final

        /// Orders by what is gained.
        package static func < (left: Gain, right: Gain) -> Bool { left.rawValue < right.rawValue }
    }

    /// What kind of file it is, as far as it is known.
    private enum Kind {
        case unknown
        case jpeg(PartialJPEG)
        case png(PartialPNG)
        /// HEIC and AVIF.
        case heif
        /// Any other format.
        case other
    }

    /// Fewer bytes hold little more than headers.
    static let minimumByteCount = 4 << 10
    /// Phones put the thumbnail of a HEIC in front of the picture, behind up to 4 KiB that say what
    /// there is; it takes 5 to 25 KiB.
    private static let thumbnailByteCount = 64 << 10

    private let target: ThumbnailTarget
    private let acceptsThumbnail: Bool
    private var kind = Kind.unknown
    private var byteCount = 0
    private var expected: Int?
    private var decodedByteCount = 0

    /// Makes a schedule for a picture that is laid into `targetSize`; nil for full size.
    ///
    /// With `acceptsThumbnail` that in the file may be the picture.
    package init(
        targetSize: PixelSize?,
        contentMode: ImageContentMode = .fit,
        acceptsThumbnail: Bool = false
    ) {
        target = ThumbnailTarget(box: targetSize, mode: contentMode)
        self.acceptsThumbnail = acceptsThumbnail && targetSize != nil
    }

    /// Takes in the file as far as it has come: the bytes of the last time, and more.
    ///
    /// Fewer bytes than before start another file. `expected` is the length of the
    /// whole, if it was announced.
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
            // Moved out, so that it is changed in place.
            kind = .unknown
            partial.advance(to: bytes)
            kind = .jpeg(partial)
        case .png, .heif, .other: break
        }
    }

    /// What a decode of all that has come would bring.
    package var gain: Gain {
        // With nine tenths there, the picture itself comes as soon as its preview would.
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

    /// Whether a decode of the bytes received so far can give a final image.
    ///
    /// False for formats that are final only as a whole, so that no decode of a part is started in vain.
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

    /// Whether a decode of the bytes received so far can give the thumbnail in the file as the image.
    package var mayBeThumbnail: Bool {
        guard acceptsThumbnail, gain > .nothing else { return false }
        switch kind {
        case .jpeg(let partial): return partial.hasNewThumbnail(for: target)
        case .heif: return true
        case .unknown, .png, .other: return false
        }
    }

    /// Notes that all that has come is decoded now.
    package mutating func noteDecode() {
        decodedByteCount = byteCount
        guard case .jpeg(var partial) = kind else { return }
        kind = .unknown
        partial.noteDecode()
        kind = .jpeg(partial)
    }

    /// How many bytes have come, and how many had when they were decoded last.
    struct Received {
        let byteCount: Int
        let expected: Int?
        let decoded: Int

        /// Whether there is so much more that its rows are worth a decode.
        var hasGrown: Bool { byteCount >= max(minimumByteCount, decoded + decoded / 2) }
        /// Whether there is so much more that its scans are: turning the coefficients into pixels
        /// costs the same after each scan, beside reading the bytes before it again.
        var hasDoubled: Bool { byteCount - decoded >= decoded }
    }

    private var received: Received {
        Received(byteCount: byteCount, expected: expected, decoded: decodedByteCount)
    }

    private static func kind(of bytes: [UInt8]) -> Kind {
        // The signature, and IHDR with its length and checksum.
        guard bytes.count >= PartialPNG.headerByteCount else { return .unknown }
        if JPEGDecoder().canDecode(bytes) { return .jpeg(PartialJPEG()) }
        if PNGDecoder().canDecode(bytes), let png = PartialPNG(bytes) { return .png(png) }
        let isHEIF = [LibraryDecoder.heic, .avif].contains { $0.canDecode(bytes) }
        return isHEIF ? .heif : .other
    }
}

/// The size that a picture is wanted at, for pictures whose EXIF orientation is not known yet.
struct ThumbnailTarget {
    /// Nil for full size.
    let box: PixelSize?
    let mode: ImageContentMode

    /// Whether `condition` holds for the size that is made of a stored picture of `size`, whichever
    /// way it is turned.
    func holds(for size: PixelSize, _ condition: (PixelSize) -> Bool) -> Bool {
        guard let box, !size.isEmpty, !box.isEmpty else { return false }
        let turned = PixelSize(width: box.height, height: box.width)
        return [box, turned].contains { condition(size.scaled(into: $0, mode: mode)) }
    }
}

/// How much of a PNG that arrives must have come for an image that is final at a size.
///
/// Where a pass of Adam7 ends can't be seen without inflating, so it is guessed by the share of the
/// bytes that it took in 20 pictures: the first to the seventh pass ended at 2, 4, 8, 15, 28, 54
/// and 100 %.
struct PartialPNG {
    /// The signature and IHDR.
    static let headerByteCount = 33

    /// The passes that the decoder may finish early at.
    private static let ends: [(passCount: Int, percent: Int)] = [(3, 8), (5, 28)]

    private let size: PixelSize
    let isInterlaced: Bool

    /// Nil if IHDR is not where it must be.
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

    /// Whether the last pass that `target` needs may be complete, and a decode would not be one of
    /// many in vain.
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
