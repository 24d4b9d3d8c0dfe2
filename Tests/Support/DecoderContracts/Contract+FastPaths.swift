import Decoders

extension Contract {
    /// The DC path makes libjpeg's picture or libjpeg's error.
    ///
    /// The same picture to the last bit where both read the same bits; within `JPEGOutline`'s
    /// tolerance of progressive files, whose AC scans and low bits the DC path does not read and
    /// whose errors there it does not find; there it is half of the pixels that are held to it.
    public static let jpegFast = Contract("JPEGFast") { (bytes) throws(BrokenContract) in
        let outline = JPEGOutline(bytes)
        let compared = outline.hasQuarterChroma ? JPEGOutline(outline.withoutAC) : outline
        for side in [6, 15] { try checkDCPath(compared, side: side) }
    }

    private static func checkDCPath(_ outline: JPEGOutline, side: Int) throws(BrokenContract) {
        var both = try Both(JPEGDecoder(), outline.bytes, side: side, pixelCount: 1 << 18)
        let isComparable = !outline.isDamaged && outline.isReadAtEighth(side: side)
        if outline.isProgressive, !isComparable, case .image = both.fast {
            // Through libjpeg too scans that would show little are not read.
            return
        }
        if outline.isProgressive, case .image = both.fast, case .error = both.library {
            // Damage in scans that it passes over only libjpeg finds; so it is held to the others.
            let rest = JPEGOutline(outline.withoutAC).withDCAlone
            both.library = try Both(JPEGDecoder(), rest, side: side, pixelCount: 1 << 18).library
        }
        guard case .image = both.fast, case .image = both.library else {
            return try both.checkSameResult()
        }
        // libjpeg wraps values around that no picture has: one low bit can make black of white.
        let difference =
            outline.isProgressive
            ? both.fast.medianDifference(from: both.library)
            : both.fast.difference(from: both.library)
        try require(
            difference <= outline.tolerance,
            "\(difference) levels apart, \(outline.tolerance) allowed, at \(side)"
        )
    }

    /// The fast path makes libpng's picture or libpng's error, to the last bit and word.
    public static let pngFast = Contract("PNGFast") { (bytes) throws(BrokenContract) in
        for side in [nil, 9, 40] {
            try Both(PNGDecoder(), bytes, side: side, pixelCount: 1 << 17).checkSameResult()
        }
    }

    /// The results of the library and of the fast paths for the same bytes.
    private struct Both {
        let fast: DecodingResult
        var library: DecodingResult

        init(
            _ decoder: some ImageDecoder,
            _ bytes: [UInt8],
            side: Int?,
            pixelCount: Int
        ) throws(BrokenContract) {
            var options = DecodingOptions(limits: limits(pixelCount: pixelCount))
            options.targetSize = side.map { PixelSize(width: $0, height: $0) }
            fast = try DecodingResult(decoder, bytes, options)
            options.usesFastPaths = false
            library = try DecodingResult(decoder, bytes, options)
        }

        func checkSameResult() throws(BrokenContract) {
            try require(
                fast == library,
                "fast: \(fast.summary), library: \(library.summary)"
            )
        }
    }
}
