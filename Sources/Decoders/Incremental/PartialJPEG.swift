internal import Glibc

/// How far a JPEG that arrives has come: which of its scans are complete.
///
/// Walks the markers; what lies between them is passed over by `memchr`. From the first thing on
/// that it doesn't know it only counts bytes.
struct PartialJPEG {
    private enum Place {
        case segments
        /// In the coded data of a scan.
        case data(JPEGScan)
        case lost
    }

    /// An EXIF segment with a picture in it is longer.
    private static let thumbnailByteCount = 2 << 10

    private var place = Place.segments
    /// Where to read on; behind SOI at first.
    private var offset = 2
    private var frame: JPEGFrame?
    /// Whether a scan shows only when it is complete; rows otherwise show as they come.
    private var showsWholeScans = false
    private var hasThumbnail = false
    private var hasScan = false
    /// Goes up by one with everything that comes and can be shown.
    private var stage = 0
    private var decodedStage = 0
    /// What the scans that are complete have brought.
    private var progress = JPEGScanProgress(componentCount: 0)
    /// The same at the last decode.
    private var decoded = JPEGScanProgress(componentCount: 0)

    mutating func advance(to bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            while step(bytes) {}
        }
    }

    mutating func noteDecode() {
        decodedStage = stage
        decoded = progress
    }

    func gain(
        for target: ThumbnailTarget,
        _ received: DecodingSchedule.Received
    ) -> DecodingSchedule.Gain {
        if canNewlyFinishEarly(for: target) { return .final }
        guard hasScan || isLost else { return .nothing }
        guard showsWholeScans else { return received.hasGrown ? .preview : .nothing }
        return stage > decodedStage && received.hasDoubled ? .preview : .nothing
    }

    /// Whether the decoder will take the scans that are complete for all it needs, and would not
    /// have at the last decode.
    private func canNewlyFinishEarly(for target: ThumbnailTarget) -> Bool {
        guard let frame, showsWholeScans, progress.hasDC else { return false }
        let isDCEnough = frame.size.pixelCount >= DCDecoder.minimumPixelCount
        let finest = frame.components.reduce((1, 1)) { finest, component in
            (
                max(finest.0, frame.horizontal / component.horizontal),
                max(finest.1, frame.vertical / component.vertical)
            )
        }
        let coarsestSampling = PixelSize(width: finest.0, height: finest.1)
        return target.holds(for: frame.size) { size in
            let scale = JPEGScale(
                from: frame.size,
                to: size,
                coarsestSampling: coarsestSampling
            )
            if isDCEnough, scale == .eighth, !decoded.hasDC { return true }
            return JPEGDetail(at: scale).map { progress.has($0) && !decoded.has($0) } ?? false
        }
    }

    private var isLost: Bool { if case .lost = place { true } else { false } }

    // MARK: Reading

    /// Passes over a segment or the data of a scan; false if more must come first.
    private mutating func step(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        switch place {
        case .segments: readSegment(bytes)
        case .data(let scan): readData(of: scan, bytes)
        case .lost: false
        }
    }

    private mutating func readSegment(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard offset + 4 <= bytes.count else { return false }
        let marker = bytes[offset + 1]
        let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
        guard bytes[offset] == 0xFF, marker >= 0xC0, !(0xD0...0xD9).contains(marker), length >= 2
        else { return loseWay() }
        let end = offset + 2 + length
        guard end <= bytes.count else { return false }
        let isRead = read(marker, ArraySlice(bytes[(offset + 4)..<end]))
        offset = end
        return isRead || loseWay()
    }

    /// False for what is left to libjpeg.
    private mutating func read(_ marker: UInt8, _ body: ArraySlice<UInt8>) -> Bool {
        switch marker {
        case 0xC0, 0xC1, 0xC2:
            frame = JPEGFrame(marker: marker, body: body)
            progress = JPEGScanProgress(componentCount: frame?.components.count ?? 0)
            return frame != nil
        case 0xDA:
            guard let frame, let scan = JPEGScan(body: body, frame: frame) else { return false }
            place = .data(scan)
            guard !hasScan else {
                // libjpeg counts a scan as complete when it has read the head of the next.
                stage += 1
                return true
            }
            hasScan = true
            showsWholeScans = frame.isProgressive || scan.parts.count < frame.components.count
            if hasThumbnail { stage = 1 }
        case 0xE1:
            hasThumbnail = hasThumbnail || body.count >= Self.thumbnailByteCount
        default: return !(0xC3...0xCF).contains(marker) || [0xC4, 0xCC].contains(marker)
        }
        return true
    }

    private mutating func readData(
        of scan: JPEGScan,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        while let start = bytes.baseAddress, offset + 1 < bytes.count {
            guard let found = memchr(start + offset, 0xFF, bytes.count - 1 - offset) else {
                offset = bytes.count - 1
                return false
            }
            let place = UnsafeRawPointer(found) - UnsafeRawPointer(start)
            let marker = bytes[place + 1]
            offset = marker == 0xFF ? place + 1 : place + 2
            if marker != 0, marker != 0xFF, !(0xD0...0xD7).contains(marker) {
                offset = place
                end(scan)
                return true
            }
        }
        return false
    }

    private mutating func end(_ scan: JPEGScan) {
        place = .segments
        if !progress.add(scan) { place = .lost }
    }

    /// Always false.
    private mutating func loseWay() -> Bool {
        place = .lost
        return false
    }
}
