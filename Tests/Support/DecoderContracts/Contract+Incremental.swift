import Decoders

extension Contract {
    /// A file that comes bit by bit: each beginning gives a preview or an error, longer ones never
    /// take a preview back for lack of data, a preview that calls itself final is, and the last is
    /// the picture.
    public static let incremental = Contract("Incremental") { (bytes) throws(BrokenContract) in
        let isPNG = PNGDecoder().canDecode(bytes)
        let outline = JPEGOutline(isPNG ? [] : bytes)
        let file = outline.hasQuarterChroma ? outline.withoutAC : bytes
        let previews =
            isPNG
            ? try Previews(PNGDecoder(), file, outline) : try Previews(JPEGDecoder(), file, outline)
        try checkPieces(file)
        // If a file lacks some scans, libjpeg interpolates the missing data.
        guard case .image = previews.whole, outline.isInOrder else { return }
        let tolerance = max(previewTolerance, outline.tolerance)
        try check(previews.last, "the last preview", isWithin: tolerance, of: previews.whole)
        if let final = previews.final {
            try check(final, "a final preview", isWithin: tolerance, of: previews.whole)
        }
    }

    /// The previews from the first parts of a file.
    private struct Previews {
        static let stepCount = 6

        let whole: DecodingResult
        let last: DecodingResult
        private(set) var final: DecodingResult?

        init(
            _ decoder: some ImageDecoder,
            _ bytes: [UInt8],
            _ outline: JPEGOutline
        ) throws(BrokenContract) {
            var options = Contract.previewOptions
            whole = try DecodingResult(decoder, bytes, options)
            options.acceptsTruncation = true
            last = try DecodingResult(decoder, bytes, options)
            var hasPreview = false
            for step in 1...Self.stepCount {
                let beginning = Array(bytes.prefix(bytes.count * step / Self.stepCount))
                let result = try DecodingResult(decoder, beginning, options)
                if case .error(.truncated) = result, hasPreview, !outline.isArithmetic {
                    throw BrokenContract("a preview, then truncated at \(step) sixths")
                }
                guard case .image(let image) = result else { continue }
                hasPreview = true
                if image.isFinal { final = final ?? result }
            }
        }
    }

    private static let previewOptions = DecodingOptions(
        targetSize: PixelSize(width: 12, height: 12),
        limits: limits(pixelCount: 1 << 17)
    )

    private static func check(
        _ preview: DecodingResult,
        _ name: String,
        isWithin tolerance: Int,
        of whole: DecodingResult
    ) throws(BrokenContract) {
        let difference = preview.difference(from: whole)
        try require(
            difference <= tolerance,
            "\(name) is a \(preview.summary), \(difference) levels from the \(whole.summary)"
        )
    }

    /// Behind a final picture nothing comes.
    private static func checkPieces(_ bytes: [UInt8]) throws(BrokenContract) {
        var decoder = IncrementalDecoder(options: previewOptions, expected: bytes.count * 2)
        var isFinal = false
        for start in stride(from: 0, to: bytes.count, by: 1_000) {
            let piece = bytes[start..<min(bytes.count, start + 1_000)]
            guard let image = decoder.append(Array(piece)) else { continue }
            try require(!isFinal, "a picture behind the final one")
            isFinal = image.isFinal
        }
        try require(decoder.bytes == bytes, "lost bytes")
    }
}
