import Decoders

extension Contract {
    /// The DC path makes libjpeg's picture or libjpeg's error.
    ///
    /// The same picture to the last bit where both read the same bits; within `JPEGOutline`'s
    /// tolerance of progressive files, whose AC scans and low bits the DC path does not read and
    /// whose errors there it does not find.
    public static let jpegFast = Contract("JPEGFast") { (bytes) throws(BrokenContract) in
        let outline = JPEGOutline(bytes)
        let file = outline.hasQuarterChroma ? outline.withoutAC : bytes
        for side in [6, 15] {
            let both = try Both(JPEGDecoder(), file, side: side, limits: limitsOfFastPaths)
            switch (both.fast, both.library) {
            case (.picture, .picture):
                let difference = both.fast.difference(from: both.library)
                try require(
                    difference <= outline.tolerance,
                    "\(difference) levels apart, \(outline.tolerance) allowed, at \(side)"
                )
            case (.picture, .refused) where outline.isProgressive: break
            default: try both.checkSameVerdict()
            }
        }
    }

    /// The fast path makes libpng's picture or libpng's error, to the last bit and word.
    public static let pngFast = Contract("PNGFast") { (bytes) throws(BrokenContract) in
        for side in [nil, 9, 40] {
            try Both(PNGDecoder(), bytes, side: side, limits: limits).checkSameVerdict()
        }
    }

    /// The DC path leaves pictures of fewer than 100,000 pixels to libjpeg.
    private static let limitsOfFastPaths = DecodingLimits(
        maximumPixelCount: 1 << 18,
        maximumByteCount: 8 << 20
    )

    /// What the library alone and the faster ways make of the same bytes.
    private struct Both {
        let fast: Verdict
        let library: Verdict

        init(
            _ decoder: some ImageDecoder,
            _ bytes: [UInt8],
            side: Int?,
            limits: DecodingLimits
        ) throws(BrokenContract) {
            var options = DecodingOptions(limits: limits)
            options.targetSize = side.map { PixelSize(width: $0, height: $0) }
            fast = try Verdict(decoder, bytes, options)
            options.usesFastPaths = false
            library = try Verdict(decoder, bytes, options)
        }

        func checkSameVerdict() throws(BrokenContract) {
            try require(
                fast == library,
                "fast: \(fast.summary), library: \(library.summary)"
            )
        }
    }
}
