import Decoders

extension Contract {
    /// Bytes as the EXIF block of a picture: an orientation that both formats agree on, and sides
    /// that go with it.
    public static let exif = Contract("EXIF") { (bytes) throws(BrokenContract) in
        guard let jpeg = Carrier.jpeg(exif: bytes) else { return }
        let properties = try [
            probed(JPEGDecoder(), jpeg), probed(PNGDecoder(), Carrier.png(exif: bytes)),
        ]
        for properties in properties {
            try require(
                (1...8).contains(properties.orientation),
                "orientation \(properties.orientation)"
            )
            let isTurned = properties.orientation > 4
            let size = isTurned ? Carrier.size.turned : Carrier.size
            try require(properties.size == size, "\(properties.size) instead of \(size)")
        }
        try require(
            properties[0].orientation == properties[1].orientation,
            "JPEG: \(properties[0].orientation), PNG: \(properties[1].orientation)"
        )
        // Down to the block itself, where an embedded thumbnail may stand for the picture.
        for count in [jpeg.count, jpeg.count / 2, Carrier.exifEnd(bytes)] {
            let options = DecodingOptions(
                targetSize: PixelSize(width: 4, height: 4),
                limits: limits(pixelCount: 1_000),
                acceptsTruncation: true
            )
            _ = try Verdict(JPEGDecoder(), Array(jpeg.prefix(count)), options)
        }
    }

    /// Bytes as the colour profile of a picture: it is shown, with the profile or without,
    /// unless the profile says that it is larger than the limit.
    public static let profile = Contract("ICC") { (bytes) throws(BrokenContract) in
        guard let jpeg = Carrier.jpeg(profile: bytes) else { return }
        let options = DecodingOptions(
            targetSize: PixelSize(width: 4, height: 4),
            limits: limits(pixelCount: 1_000)
        )
        let verdicts = try [
            Verdict(JPEGDecoder(), jpeg, options),
            Verdict(PNGDecoder(), Carrier.png(profile: bytes), options),
        ]
        for verdict in verdicts {
            if case .refused(.tooMuchMetadata) = verdict { continue }
            try require(verdict.pixels != nil, "a profile made it unreadable: \(verdict.summary)")
        }
    }

    private static func probed(
        _ decoder: some ImageDecoder,
        _ bytes: [UInt8]
    ) throws(BrokenContract) -> ImageProperties {
        do throws(ImageDecodingError) {
            return try decoder.probe(bytes)
        } catch {
            throw BrokenContract("\(decoder.format) with a block of \(bytes.count) bytes: \(error)")
        }
    }
}

extension PixelSize {
    fileprivate var turned: PixelSize { PixelSize(width: height, height: width) }
}
