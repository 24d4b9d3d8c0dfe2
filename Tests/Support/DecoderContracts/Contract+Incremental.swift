import Decoders

extension Contract {
    /// A file that comes bit by bit: each beginning gives a preview or an error, longer ones never
    /// take a preview back for lack of data, a preview that calls itself final is, and the last is
    /// the picture.
    public static let incremental = Contract("Incremental") { (bytes) throws(BrokenContract) in
        let isPNG = PNGDecoder().canDecode(bytes)
        try isPNG
            ? checkBeginnings(PNGDecoder(), bytes) : checkBeginnings(JPEGDecoder(), bytes)
    }

    private static let stepCount = 6

    private static func checkBeginnings(
        _ decoder: some ImageDecoder,
        _ bytes: [UInt8]
    ) throws(BrokenContract) {
        var options = DecodingOptions(
            targetSize: PixelSize(width: 12, height: 12),
            limits: limits
        )
        let whole = try Verdict(decoder, bytes, options)
        options.acceptsTruncation = true
        var (hasPreview, final): (Bool, Verdict?) = (false, nil)
        for step in 1...stepCount {
            let beginning = Array(bytes.prefix(bytes.count * step / stepCount))
            let verdict = try Verdict(decoder, beginning, options)
            if case .refused(.truncated) = verdict, hasPreview {
                throw BrokenContract("a preview, then truncated at \(step) of \(stepCount)")
            }
            guard case .picture(let image) = verdict else { continue }
            hasPreview = true
            if image.isFinal { final = final ?? verdict }
        }
        guard case .picture = whole else { return }
        let last = try Verdict(decoder, bytes, options)
        try check(last, "the last preview", is: whole)
        if let final { try check(final, "a final preview", is: whole) }
    }

    private static func check(
        _ preview: Verdict,
        _ name: String,
        is whole: Verdict
    ) throws(BrokenContract) {
        let difference = preview.difference(from: whole)
        try require(
            difference <= previewTolerance,
            "\(name) is a \(preview.summary), \(difference) levels from the \(whole.summary)"
        )
    }
}
