/// Tracks which scans of a JPEG have been received completely.
///
/// If a segment is damaged or not supported by `DCDecoder`, later scans are not tracked, and only
/// the number of received bytes is used.
struct PartialJPEG {
    /// The minimum size of an EXIF segment that probably contains a thumbnail, in bytes.
    private static let thumbnailByteCount = 2 << 10
    /// The minimum amount of the image's coded data to compare with the thumbnail, in bytes.
    ///
    /// In a 12-megapixel photo, one row of MCUs takes 5 to 25 KiB.
    private static let minimumComparedByteCount = 4 << 10

    private var segments = JPEGSegments()
    /// Whether every received segment is valid and of a supported type.
    private var isReadable = true
    private var tables = JPEGTables()
    private var frame: JPEGFrame? { tables.frame }
    /// Whether a scan is shown only when it is complete, rather than row by row as it is received.
    private var showsWholeScans = false
    private var hasThumbnail = false
    /// The size of a thumbnail that may replace the image, or nil if no thumbnail may.
    private var thumbnailSize: PixelSize?
    /// The number of bytes of coded data that had been received when the thumbnail was last
    /// compared with the image, or nil if it has not been compared.
    private var comparedByteCount: Int?
    /// The offset of the coded data of the first scan.
    private var scanStart: Int?
    private var hasScan: Bool { scanStart != nil }
    private var byteCount = 0
    /// The scan currently being received.
    private var openScan: JPEGScan?
    /// A counter that is incremented each time more of the image can be decoded.
    private var stage = 0
    private var decodedStage = 0
    /// The coefficient bits that have been received in complete scans.
    private var progress = JPEGScanProgress(componentCount: 0)
    /// The value of `progress` at the last decode.
    private var decoded = JPEGScanProgress(componentCount: 0)

    mutating func advance(to bytes: [UInt8]) {
        byteCount = bytes.count
        bytes.withUnsafeBufferPointer { bytes in
            while isReadable, readSegment(of: bytes) {}
        }
    }

    /// Returns whether a thumbnail large enough for `target`, and enough of the image for a new
    /// comparison, have been received.
    func hasNewThumbnail(for target: ThumbnailTarget) -> Bool {
        guard let thumbnailSize, let frame, canCompareThumbnail else { return false }
        return target.holds(for: frame.size) { wanted in
            thumbnailSize.width >= wanted.width && thumbnailSize.height >= wanted.height
        }
    }

    /// Whether the data to compare with the thumbnail has doubled since the last comparison.
    private var canCompareThumbnail: Bool {
        let last = comparedByteCount ?? 0
        return last < DCBand.maximumByteCount
            && codedByteCount >= max(Self.minimumComparedByteCount, last * 2)
    }

    private var codedByteCount: Int { scanStart.map { max(0, byteCount - $0) } ?? 0 }

    mutating func noteDecode() {
        decodedStage = stage
        if hasThumbnail, hasScan { comparedByteCount = codedByteCount }
        decoded = progress
    }

    func gain(
        for target: ThumbnailTarget,
        _ received: DecodingSchedule.Received
    ) -> DecodingSchedule.Gain {
        if canNewlyFinishEarly(for: target) { return .final }
        guard hasScan || !isReadable else { return .nothing }
        guard showsWholeScans else { return received.hasGrown ? .preview : .nothing }
        return stage > decodedStage && received.hasDoubled ? .preview : .nothing
    }

    /// Returns whether the decoder can finish early now but could not at the last decode.
    private func canNewlyFinishEarly(for target: ThumbnailTarget) -> Bool {
        guard let frame, let quantizers = tables.componentQuantizers, showsWholeScans,
            progress.hasDC
        else { return false }
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
            if isDCEnough, scale == .eighth, progress.hasDC(shownBy: quantizers),
                !decoded.hasDC(shownBy: quantizers)
            {
                return true
            }
            return JPEGDetail(at: scale, target: size, quantizers: quantizers).map {
                progress.has($0) && !decoded.has($0)
            } ?? false
        }
    }

    /// Returns the size of the EXIF thumbnail, or nil if the thumbnail is missing or damaged or
    /// seems to show a different image.
    private static func sizeOfCurrentThumbnail(
        in file: UnsafeBufferPointer<UInt8>,
        of size: PixelSize
    ) -> PixelSize? {
        let metadata = JPEGHeaderSegments(file).metadata
        guard let thumbnail = metadata.thumbnail, metadata.isThumbnailCurrent(for: size),
            let header = try? JPEGReader(thumbnail).readHeader()
        else { return nil }
        return header.size
    }

    // MARK: Reading

    /// Reads the next segment; returns false if more bytes are needed or no more segments can be
    /// read.
    private mutating func readSegment(of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let step = segments.next(in: bytes)
        isReadable = segments.isInOrder
        if let scan = openScan, !(step == .endOfFile && segments.isInCodedData) {
            openScan = nil
            isReadable = isReadable && progress.add(scan)
        }
        guard isReadable else { return false }
        switch step {
        case .segment(let segment): isReadable = read(segment, of: bytes)
        case .endOfFile: return false
        case .endMarker, .damage: isReadable = false
        }
        return isReadable
    }

    /// Records a segment; returns false if only libjpeg supports the segment.
    private mutating func read(
        _ segment: JPEGSegments.Segment,
        of bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        tables.read(segment, in: bytes)
        switch segment.marker {
        case 0xC0, 0xC1, 0xC2:
            progress = JPEGScanProgress(componentCount: frame?.components.count ?? 0)
            return frame != nil
        case 0xDA:
            guard let frame, let scan = JPEGScan(body: Array(bytes[segment.body]), frame: frame)
            else { return false }
            openScan = scan
            guard !hasScan else {
                // libjpeg considers a scan complete when it has read the header of the next scan.
                stage += 1
                return true
            }
            scanStart = segments.codedDataOffset
            showsWholeScans = frame.isProgressive || scan.parts.count < frame.components.count
            if hasThumbnail {
                stage = 1
                thumbnailSize = Self.sizeOfCurrentThumbnail(in: bytes, of: frame.size)
            }
        case 0xE1:
            hasThumbnail = hasThumbnail || segment.body.count >= Self.thumbnailByteCount
        case let marker: return !(0xC3...0xCF).contains(marker) || [0xC4, 0xCC].contains(marker)
        }
        return true
    }
}
