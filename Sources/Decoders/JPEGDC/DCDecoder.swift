extension JPEGDecoder {
    /// The pixels from the DC coefficients alone, where those are all that shows and nothing in the
    /// file is unusual; final in any case.
    func pixelsOfDC(
        _ file: UnsafeBufferPointer<UInt8>,
        header: JPEGHeaderSegments,
        plan: DecodingPlan,
        scale: JPEGScale
    ) throws(ImageDecodingError) -> PixelBuffer? {
        guard plan.usesFastPaths, scale == .eighth,
            plan.storedSize.pixelCount >= DCDecoder.minimumPixelCount,
            let image = try DCDecoder.decode(file, header: header, plan: plan)
        else { return nil }
        var collector = RowCollector(plan: plan, step: scale.rawValue, isWhole: true)
        _ = try collector.collect(rowCount: image.planes.size.height, plan: plan) { strip, row, _ in
            image.convert(row: row, into: strip)
        }
        return collector.finish()
    }
}

/// Makes the picture that libjpeg hands out at scale 1/8, from the DC coefficients alone.
///
/// libjpeg decodes every coefficient to throw it away; at 1/8 that is nine tenths of its time. This
/// takes 8-bit Huffman files, baseline and progressive, grey and of three components, passes AC
/// coefficients several at a time, and of a progressive file reads the first DC scans only. Anything
/// else, and any doubt, is left to libjpeg, which says what the error is.
///
/// Equal to libjpeg's samples, but for progressive files, whose missing low bits are taken as half,
/// and for 4:2:0, where libjpeg makes four samples of each chroma block and this one.
struct DCDecoder {
    /// Below this many pixels building the tables costs more than is saved.
    static let minimumPixelCount = 100_000

    /// What the walk comes to.
    private enum Event {
        /// A scan; its coded data are next.
        case scan(JPEGScan)
        case endMarker
        /// Something unusual, damaged or missing.
        case declined
    }

    private let file: UnsafeBufferPointer<UInt8>
    private let plan: DecodingPlan
    private var tables: JPEGTables
    private var segments: JPEGSegments
    private var planes: DCPlanes?
    private var isRGB = false
    private var progress = JPEGScanProgress(componentCount: 0)

    /// The DC grid of a file that `plan` was made for; nil if it is left to libjpeg.
    ///
    /// Goes on where the walk over the header ended. With `acceptsTruncation` the DC scans alone have
    /// to be there: the grid is the same, because nothing behind them is used for it.
    static func decode(
        _ file: UnsafeBufferPointer<UInt8>,
        header: JPEGHeaderSegments,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> DCImage? {
        guard let tables = header.tables, let first = header.firstScan else { return nil }
        var decoder = DCDecoder(
            file: file,
            plan: plan,
            tables: tables,
            segments: header.segments
        )
        var event = decoder.event(of: first)
        // The last turn is for the end marker.
        for _ in 0...max(0, plan.maximumScanCount) {
            switch event {
            case .declined: return nil
            case .endMarker: return decoder.progress.isComplete ? decoder.result : nil
            case .scan(let scan):
                guard try decoder.read(scan) else { return nil }
            }
            if plan.acceptsTruncation, decoder.progress.hasDC { return decoder.result }
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

    private var result: DCImage? { planes.map { DCImage(planes: $0, isRGB: isRGB) } }

    /// Reads on to the next scan or the end.
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

    /// Makes the planes when the first scan comes.
    private mutating func prepare() -> Bool {
        guard let frame = tables.frame, frame.size == plan.storedSize else { return false }
        guard planes == nil else { return true }
        // The other half is for the result.
        guard DCPlanes.byteCount(frame) <= plan.maximumByteCount / 2 else { return false }
        planes = DCPlanes(frame: frame)
        progress = JPEGScanProgress(componentCount: frame.components.count)
        isRGB = tables.isRGB
        return true
    }

    /// Decodes the scan, or leaves it to the walk to pass its data; false if it can't be read.
    private mutating func read(_ scan: JPEGScan) throws(ImageDecodingError) -> Bool {
        guard prepare(), let frame = tables.frame, progress.add(scan) else { return false }
        guard !frame.isProgressive || scan.isFirstOfDC else { return true }
        return try decode(scan, frame)
    }

    private mutating func decode(
        _ scan: JPEGScan,
        _ frame: JPEGFrame
    ) throws(ImageDecodingError) -> Bool {
        guard var result = planes,
            let layout = DCScanLayout(scan: scan, frame: frame, tables: tables, planes: result)
        else { return false }
        // The only owner from here on, so that writing does not copy.
        planes = nil
        guard layout.lastIndex < result.samples.count else { return false }
        let end = try result.samples.withUnsafeMutableBufferPointer {
            (samples) throws(ImageDecodingError) in
            try decode(layout, into: samples)
        }
        planes = result
        guard let end else { return false }
        segments.skipCodedData(to: end)
        return true
    }

    /// Where the scan ends, nil if its data are not in order.
    private func decode(
        _ layout: DCScanLayout,
        into samples: UnsafeMutableBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> Int? {
        try layout.huffmanTables.entries.withUnsafeBufferPointer {
            (entries) throws(ImageDecodingError) -> Int? in
            try layout.huffmanTables.codes.withUnsafeBufferPointer {
                (codes) throws(ImageDecodingError) -> Int? in
                guard let memory = DCScanDecoder.Memory(entries, codes, samples) else { return nil }
                let data = EntropyCodedData(file, offset: segments.codedDataOffset)
                var decoder = DCScanDecoder(layout: layout, memory: memory, data: data)
                return try decoder.decode(plan: plan)
            }
        }
    }
}
