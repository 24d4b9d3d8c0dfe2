import Decoders

extension Contract {
    /// With accepted damage, an intact file gives the same image as without.
    ///
    /// Any other file gives an image with a description of its damage, or an error.
    public static let damage = Contract("Damage") { (bytes) throws(BrokenContract) in
        var options = DecodingOptions(
            targetSize: PixelSize(width: 12, height: 12),
            limits: limits(pixelCount: 1 << 17)
        )
        let strict = DecodingResult(bytes, options)
        options.acceptsDamage = true
        let accepting = DecodingResult(bytes, options)
        let isKept =
            switch (strict, accepting) {
            case (.image, _): accepting == strict
            case (.error(let error), .image(let image)):
                error.isDamage && image.damage == error && image.isFinal
            // Reading on may come to a limit.
            case (.error(let error), .error(let other)):
                other == error || (error.isDamage && other.isLimit)
            }
        try require(isKept, "\(strict.summary), with damage accepted \(accepting.summary)")
    }
}

extension DecodingResult {
    /// Decodes the bytes with the registry.
    fileprivate init(_ bytes: [UInt8], _ options: DecodingOptions) {
        do throws(ImageDecodingError) {
            self = .image(try DecoderRegistry.standard.decode(bytes, options: options))
        } catch {
            self = .error(error)
        }
    }
}
