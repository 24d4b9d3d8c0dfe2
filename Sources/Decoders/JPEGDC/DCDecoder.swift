extension JPEGDecoder {
    /// Decodes the image from its DC coefficients alone; returns nil if libjpeg must decode the
    /// file.
    ///
    /// libjpeg must decode the file if other coefficients are visible at `scale`, or if `DCDecoder`
    /// does not support the file. The result is final if all visible bits have been received.
    func pixelsOfDC(
        _ file: UnsafeBufferPointer<UInt8>,
        header: JPEGHeaderSegments,
        plan: DecodingPlan,
        scale: JPEGScale
    ) throws(ImageDecodingError) -> (pixels: PixelBuffer, isFinal: Bool)? {
        guard plan.usesFastPaths, scale == .eighth,
            plan.storedSize.pixelCount >= DCDecoder.minimumPixelCount,
            let (image, isFinal) = try DCDecoder.decode(file, header: header, plan: plan)
        else { return nil }
        var collector = RowCollector(plan: plan, step: scale.rawValue, isWhole: true)
        _ = try collector.collect(rowCount: image.size.height, plan: plan) { strip, row, _ in
            image.convert(row: row, into: strip)
        }
        return (collector.finish(), isFinal)
    }
}

/// A JPEG decoder for scale 1/8 that uses only the DC coefficients.
///
/// At scale 1/8, libjpeg uses only the DC coefficients but decodes all coefficients, and the other
/// coefficients take nine tenths of its time. This decoder skips several AC coefficients at a time
/// and, in a progressive file, reads only the DC scans. It supports 8-bit Huffman files, baseline
/// and progressive, with one or three components. All other files are left to libjpeg, including
/// files that may be damaged, because libjpeg reports the error.
///
/// The samples are equal to those of libjpeg except for 4:2:0: libjpeg makes four samples of each
/// chroma block, and this decoder makes one. In a progressive file that is still being received,
/// low bits may be missing; they are replaced by their mean value. If the difference is not visible
/// (`JPEGQuantizer.missingBitCountOfMean`), the image is final.
struct DCDecoder {
    /// The minimum number of pixels of an image that `DCDecoder` decodes.
    ///
    /// In a smaller image, building the tables takes more time than it saves.
    static let minimumPixelCount = 100_000

    /// The result of reading up to the next scan.
    private enum Event {
        /// A scan, followed by its coded data.
        case scan(JPEGScan)
        case endMarker
        /// The rest of the file is missing, damaged or not supported.
        case declined
    }

    private let file: UnsafeBufferPointer<UInt8>
    private let plan: DecodingPlan
    private var tables: JPEGTables
    private var segments: JPEGSegments
    private var planes: DCPlanes?
    private var scales: [DCScale] = []
    private var isRGB = false
    private var progress = JPEGScanProgress(componentCount: 0)

    /// Returns the DC image of a file, and whether the image is final, or nil if libjpeg must
    /// decode the file.
    ///
    /// Reading continues after the segments in `header`. If the plan accepts truncation, only the
    /// first DC scans are required. Later scans are read until all visible bits have been received.
    static func decode(
        _ file: UnsafeBufferPointer<UInt8>,
        header: JPEGHeaderSegments,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> (image: DCImage, isFinal: Bool)? {
        guard let tables = header.tables, let first = header.firstScan else { return nil }
        var decoder = DCDecoder(
            file: file,
            plan: plan,
            tables: tables,
            segments: header.segments
        )
        var event = decoder.event(of: first)
        // The last iteration is for the end marker.
        for _ in 0...max(0, plan.maximumScanCount) {
            switch event {
            case .declined: return decoder.preview
            case .endMarker:
                guard decoder.progress.isComplete else { return decoder.preview }
                return decoder.image.map { ($0, true) }
            case .scan(let scan):
                guard try decoder.read(scan) else { return decoder.preview }
            }
            if plan.acceptsTruncation, decoder.showsAll { return decoder.image.map { ($0, true) } }
            event = decoder.nextEvent()
        }
        return nil
    }

    private init(
        file: UnsafeBufferPointer<UInt8>,
        plan: DecodingPlan,
        tables: JPEGTables,
        segments: JPEGSegments
    ) {
        self.file = file
        self.plan = plan
        self.tables = tables
        self.segments = segments
    }

    private var image: DCImage? {
        planes.flatMap { DCImage($0, scales: scales, isRGB: isRGB) }
    }

    /// The image from the received part of an incomplete file.
    ///
    /// Nil if the DC values of some blocks have not been received, or if the plan does not accept
    /// truncation.
    private var preview: (image: DCImage, isFinal: Bool)? {
        guard plan.acceptsTruncation, progress.hasDC else { return nil }
        return image.map { ($0, showsAll) }
    }

    /// Whether all visible bits of the DC values have been received.
    private var showsAll: Bool { progress.hasDC(shownBy: scales.map(\.quantizer)) }

    /// Reads the tables before the next scan; returns the scan or the end of the file.
    private mutating func nextEvent() -> Event {
        while true {
            switch segments.next(in: file) {
            case .endMarker: return isInOrder ? .endMarker : .declined
            case .endOfFile, .damage: return .declined
            case .segment(let segment) where segment.isScan: return event(of: segment)
            case .segment(let segment):
                tables.read(segment, in: file)
                guard isInOrder else { return .declined }
            }
        }
    }

    private func event(of segment: JPEGSegments.Segment) -> Event {
        guard isInOrder, let frame = tables.frame,
            let scan = JPEGScan(body: Array(file[segment.body]), frame: frame)
        else { return .declined }
        return .scan(scan)
    }

    private var isInOrder: Bool {
        segments.isInOrder && !segments.hasFillBytes && tables.isUsable
    }

    /// Creates the planes at the first scan.
    ///
    /// Returns false if the frame is missing, has an unexpected size or needs too much memory.
    private mutating func prepare() -> Bool {
        guard let frame = tables.frame, frame.size == plan.storedSize else { return false }
        guard planes == nil else { return true }
        // The other half of the limit is reserved for the result.
        guard DCPlanes.byteCount(frame) <= plan.maximumByteCount / 2 else { return false }
        planes = DCPlanes(frame: frame)
        progress = JPEGScanProgress(componentCount: frame.components.count)
        isRGB = tables.isRGB
        scales = frame.components.indices.map { DCScale(isZeroLikely: $0 > 0 && !isRGB) }
        return true
    }

    /// Decodes a scan; returns false if its data is invalid or not supported.
    ///
    /// If the scan has no visible DC bits, its data is skipped.
    private mutating func read(_ scan: JPEGScan) throws(ImageDecodingError) -> Bool {
        guard prepare(), let frame = tables.frame else { return false }
        var progress = progress
        guard progress.add(scan) else { return false }
        // Invisible bits are also skipped in a complete file, so its image is the same as the final
        // image shown during the transfer.
        if !frame.isProgressive || (scan.isOfDC && !showsAll) {
            guard try readValues(of: scan, frame) else { return false }
        }
        self.progress = progress
        return true
    }

    private mutating func readValues(
        of scan: JPEGScan,
        _ frame: JPEGFrame
    ) throws(ImageDecodingError) -> Bool {
        guard let planes,
            let layout = DCScanLayout(scan: scan, frame: frame, tables: tables, planes: planes),
            layout.lastIndex < planes.values.count
        else { return false }
        guard try scan.isRefinement ? refine(layout) : decode(layout) else { return false }
        for (part, values) in zip(scan.parts, layout.parts) {
            scales[part.component].quantizer = values.quantizer
            scales[part.component].missingBitCount = layout.missingBitCount
        }
        return true
    }

    private mutating func decode(_ layout: DCScanLayout) throws(ImageDecodingError) -> Bool {
        guard var result = planes else { return false }
        // Leaves `result` as the only owner of the values, so writing does not copy them.
        planes = nil
        let start = segments.codedDataOffset
        let end = try Self.decode(file, at: start, layout, plan: plan, into: &result).end
        planes = result
        guard let end else { return false }
        segments.skipCodedData(to: end)
        return true
    }

    /// Reads a scan that adds one bit to each DC value; the values change only if the scan is
    /// complete.
    private mutating func refine(_ layout: DCScanLayout) throws(ImageDecodingError) -> Bool {
        guard var result = planes else { return false }
        let end = try result.values.withUnsafeMutableBufferPointer {
            (values) throws(ImageDecodingError) -> Int? in
            guard let start = values.baseAddress else { return nil }
            let data = EntropyCodedData(file, offset: segments.codedDataOffset)
            var refinement = DCRefinement(layout: layout, values: start, data: data)
            return try refinement.read(plan: plan)
        }
        guard let end else { return false }
        planes = result
        segments.skipCodedData(to: end)
        return true
    }

    /// Decodes a scan of DC values.
    ///
    /// Returns the end offset of its data (nil if the data is incomplete or invalid) and the number
    /// of complete rows of MCUs.
    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        at offset: Int,
        _ layout: DCScanLayout,
        plan: DecodingPlan,
        into planes: inout DCPlanes
    ) throws(ImageDecodingError) -> (end: Int?, rowCount: Int) {
        let tables = layout.huffmanTables
        return try tables.entries.withUnsafeBufferPointer {
            (entries) throws(ImageDecodingError) in
            try tables.codes.withUnsafeBufferPointer { (codes) throws(ImageDecodingError) in
                try planes.values.withUnsafeMutableBufferPointer {
                    (values) throws(ImageDecodingError) in
                    let memory = DCScanDecoder.Memory(
                        entries: entries,
                        codes: codes,
                        values: values
                    )
                    guard let memory else { return (nil, 0) }
                    let data = EntropyCodedData(bytes, offset: offset)
                    var decoder = DCScanDecoder(layout: layout, memory: memory, data: data)
                    let end = try decoder.decode(plan: plan)
                    return (end, decoder.rowCount)
                }
            }
        }
    }
}

extension DCDecoder {
    /// Returns the first rows of an image, or nil if `DCDecoder` does not support the file.
    ///
    /// All components must be in the first scan.
    static func band(
        _ file: UnsafeBufferPointer<UInt8>,
        header: JPEGHeaderSegments,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> DCBand? {
        guard let tables = header.tables, let frame = tables.frame, let first = header.firstScan
        else { return nil }
        var decoder = DCDecoder(file: file, plan: plan, tables: tables, segments: header.segments)
        guard case .scan(let scan) = decoder.event(of: first),
            scan.parts.count == frame.components.count, !scan.isRefinement,
            scan.isOfDC || !frame.isProgressive, decoder.prepare(), var planes = decoder.planes,
            let layout = DCScanLayout(scan: scan, frame: frame, tables: tables, planes: planes),
            layout.lastIndex < planes.values.count
        else { return nil }
        decoder.planes = nil
        // With an end marker after the last received byte, the rows before it can be read.
        let start = min(header.segments.codedDataOffset, file.count)
        var coded = Array(file[start...].prefix(DCBand.maximumByteCount))
        while coded.last == 0xFF { coded.removeLast() }
        coded += [0xFF, 0xD9]
        let rowCount = try coded.withUnsafeBufferPointer { (coded) throws(ImageDecodingError) in
            try decode(coded, at: 0, layout, plan: plan, into: &planes).rowCount
        }
        for (part, values) in zip(scan.parts, layout.parts) {
            decoder.scales[part.component].quantizer = values.quantizer
            decoder.scales[part.component].missingBitCount = layout.missingBitCount
        }
        return DCBand(
            planes,
            frame: frame,
            scales: decoder.scales,
            isRGB: decoder.isRGB,
            rowCount: rowCount
        )
    }
}
