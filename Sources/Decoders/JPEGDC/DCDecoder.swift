extension JPEGDecoder {
    /// The picture from the file's DC coefficients, where they suffice and nothing is unusual; final
    /// in any case.
    func pixelsOfDC(
        _ bytes: [UInt8],
        plan: DecodingPlan,
        scale: JPEGScale
    ) throws(ImageDecodingError) -> PixelBuffer? {
        guard plan.usesFastPaths, scale == .eighth,
            plan.storedSize.pixelCount >= DCDecoder.minimumPixelCount,
            let image = try DCDecoder.decode(bytes, plan: plan)
        else { return nil }
        var collector = RowCollector(plan: plan, step: scale.rawValue, isWhole: true)
        let size = image.planes.size
        let rowByteCount = size.width * 4
        var strip = [UInt8](repeating: 0, count: rowByteCount * Self.stripRowCount)
        for row in stride(from: 0, to: size.height, by: Self.stripRowCount) {
            strip.withUnsafeMutableBufferPointer { strip in
                let rowCount = image.convert(row: row, into: strip)
                collector.add(
                    UnsafeRawBufferPointer(
                        rebasing: UnsafeRawBufferPointer(strip)[..<(rowCount * rowByteCount)]
                    )
                )
            }
        }
        return collector.finish()
    }
}

/// Makes the picture that libjpeg hands out at scale 1/8, from the DC coefficients alone.
///
/// libjpeg decodes every coefficient to throw it away; at 1/8 that is nine tenths of its time. This
/// takes 8-bit Huffman files, baseline and progressive, grey and of three components, passes over
/// AC coefficients several at a time, and of a progressive file reads the first DC scans only.
/// Anything else, and any doubt, is declined: libjpeg stays the judge of errors.
///
/// Equal to libjpeg's samples, but for progressive files, whose missing low bits are taken as half,
/// and for 4:2:0, where libjpeg makes four samples of each chroma block and this one.
struct DCDecoder {
    /// Below this many pixels building the tables costs more than is saved.
    static let minimumPixelCount = 100_000

    private let file: [UInt8]
    private let plan: DecodingPlan
    private var parser: DCMarkerParser
    private var planes: DCPlanes?
    private var isRGB = false
    private var progress = JPEGScanProgress(componentCount: 0)

    private init(_ file: [UInt8], plan: DecodingPlan) {
        self.file = file
        self.plan = plan
        parser = DCMarkerParser(file)
    }

    /// The DC grid of a file that `plan` was made for; nil if it is left to libjpeg.
    ///
    /// With `acceptsTruncation` it suffices that the DC scans are there. The grid is the same then,
    /// for what is not asked whether it is there is not used either.
    static func decode(_ file: [UInt8], plan: DecodingPlan) throws(ImageDecodingError) -> DCImage? {
        var decoder = DCDecoder(file, plan: plan)
        // The last turn is for the end marker.
        for _ in 0...max(0, plan.maximumScanCount) {
            switch decoder.parser.next() {
            case .declined: return nil
            case .end: return decoder.progress.isComplete ? decoder.result : nil
            case .scan(let scan):
                guard try decoder.take(scan) else { return nil }
            }
            if plan.acceptsTruncation, decoder.progress.hasDC { return decoder.result }
        }
        return nil
    }

    private var result: DCImage? { planes.map { DCImage(planes: $0, isRGB: isRGB) } }

    /// Makes the planes when the first scan comes.
    private mutating func prepare() -> Bool {
        guard let frame = parser.frame, frame.size == plan.storedSize else { return false }
        guard planes == nil else { return true }
        // The other half is for the result.
        guard DCPlanes.byteCount(frame) <= plan.maximumByteCount / 2 else { return false }
        planes = DCPlanes(frame: frame)
        progress = JPEGScanProgress(componentCount: frame.components.count)
        isRGB = parser.isRGB
        return true
    }

    /// Decodes the scan or passes over it; false if it can't be.
    private mutating func take(_ scan: JPEGScan) throws(ImageDecodingError) -> Bool {
        guard prepare(), let frame = parser.frame, progress.add(scan) else { return false }
        guard !frame.isProgressive || scan.isFirstOfDC else { return skip() }
        return try decode(scan, frame)
    }

    private mutating func decode(
        _ scan: JPEGScan,
        _ frame: JPEGFrame
    ) throws(ImageDecodingError) -> Bool {
        guard var result = planes,
            let layout = DCScanLayout(scan: scan, frame: frame, parser: parser, planes: result)
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
        parser.offset = end
        return true
    }

    /// Where the scan ends, nil if its data are not in order.
    private func decode(
        _ layout: DCScanLayout,
        into samples: UnsafeMutableBufferPointer<UInt8>
    ) throws(ImageDecodingError) -> Int? {
        try file.withUnsafeBufferPointer { (file) throws(ImageDecodingError) in
            try layout.tables.entries.withUnsafeBufferPointer {
                (entries) throws(ImageDecodingError) -> Int? in
                try layout.tables.codes.withUnsafeBufferPointer {
                    (codes) throws(ImageDecodingError) -> Int? in
                    guard let memory = DCScanDecoder.Memory(entries, codes, samples) else {
                        return nil
                    }
                    var decoder = DCScanDecoder(
                        layout: layout,
                        memory: memory,
                        data: EntropyCodedData(file, offset: parser.offset)
                    )
                    return try decoder.decode(plan: plan)
                }
            }
        }
    }

    /// Goes on behind a scan whose data are not needed.
    private mutating func skip() -> Bool {
        guard let end = DCScanSearch.end(of: file, from: parser.offset) else { return false }
        parser.offset = end
        return true
    }
}
