/// Decides, while a file arrives, when it is worth decoding what has come.
///
/// A decode begins at the first byte each time, so one for each chunk would cost the square of the
/// file. This one looks at what the bytes are: a progressive JPEG shows more only when another of
/// its scans is complete, rows only when there are enough more of them. Between two decodes for a
/// preview the beginning grows by at least half, so that decodes of rows together cost less than
/// three times the last; with scans, each of which costs about as much as the whole picture, to the
/// double. Only where the picture may be final (`DecodedImage.isFinal`) nothing is waited for.
///
/// Reads each byte once, and keeps none. The bytes may be anything: at worst a decode is tried in
/// vain, or comes later.
public struct DecodingSchedule: Sendable {
    /// What a decode of all that has come would bring.
    public enum Gain: Int, Hashable, Sendable, Comparable {
        /// Nothing that the last one did not.
        case nothing
        /// More to see.
        case preview
        /// Probably pixels that more bytes won't change.
        case final

        /// Orders by what is gained.
        public static func < (left: Gain, right: Gain) -> Bool { left.rawValue < right.rawValue }
    }

    /// What kind of file it is, as far as it is known.
    private enum Kind {
        case unknown
        case jpeg(JPEGArrival)
        case png(PNGArrival)
        /// Of a decoder that somebody registered.
        case other
    }

    /// Shorter beginnings hold little more than headers.
    static let minimumByteCount = 4 << 10

    private let target: ThumbnailTarget
    private var kind = Kind.unknown
    private var byteCount = 0
    private var expected: Int?
    private var decodedByteCount = 0

    /// Makes a schedule for a picture that is laid into `targetSize`; nil for full size.
    public init(targetSize: PixelSize?, contentMode: ContentMode = .fit) {
        target = ThumbnailTarget(box: targetSize, mode: contentMode)
    }

    /// Takes in the file as far as it has come: the bytes of the last time, and more.
    ///
    /// Fewer bytes than before are the beginning of another file. `expected` is the length of the
    /// whole, if it was announced.
    public mutating func advance(to bytes: [UInt8], of expected: Int? = nil) {
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
        case .jpeg(var arrival):
            // Moved out, so that it is changed in place.
            kind = .unknown
            arrival.advance(to: bytes)
            kind = .jpeg(arrival)
        case .png, .other: break
        }
    }

    /// What a decode of all that has come would bring.
    public var gain: Gain {
        // With nine tenths there, the picture itself comes as soon as its preview would.
        if let expected, byteCount > expected - expected / 10 { return .nothing }
        switch kind {
        case .unknown: return .nothing
        case .jpeg(let arrival):
            return arrival.gain(for: target, beginning)
        case .png(let arrival):
            if arrival.mayBeFinal(beginning, for: target) { return .final }
            return beginning.hasGrown ? .preview : .nothing
        case .other: return beginning.hasGrown ? .preview : .nothing
        }
    }

    /// Notes that all that has come is decoded now.
    public mutating func noteDecode() {
        decodedByteCount = byteCount
        guard case .jpeg(var arrival) = kind else { return }
        kind = .unknown
        arrival.noteDecode()
        kind = .jpeg(arrival)
    }

    /// How far a file has come, and how far it was when it was decoded.
    struct Beginning {
        let byteCount: Int
        let expected: Int?
        let decoded: Int

        /// By so much that more rows are worth a decode.
        var hasGrown: Bool { byteCount >= max(minimumByteCount, decoded + decoded / 2) }
        /// By so much that another scan is: beside the bytes before it, making the picture of the
        /// coefficients costs as much for each.
        var hasDoubled: Bool { byteCount - decoded >= decoded }
    }

    private var beginning: Beginning {
        Beginning(byteCount: byteCount, expected: expected, decoded: decodedByteCount)
    }

    private static func kind(of bytes: [UInt8]) -> Kind {
        // The signature, and IHDR with its length and checksum.
        guard bytes.count >= PNGArrival.headerByteCount else { return .unknown }
        return switch ImageFormat(magicOf: bytes) {
        case .jpeg: .jpeg(JPEGArrival())
        case .png: PNGArrival(bytes).map { .png($0) } ?? .other
        case nil: .other
        }
    }
}
