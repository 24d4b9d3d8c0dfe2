/// Methods that decode a smaller image, embedded by a camera, instead of the image itself.
extension JPEGDecoder {
    /// Returns an embedded image, scaled to the size of the result; nil if no embedded image is
    /// suitable.
    ///
    /// A suitable embedded image has enough pixels, and nothing in the file suggests that its
    /// content differs from the content of the main image. The thumbnail in the EXIF block is tried
    /// first, because it is in the first kilobytes of the file. Then the previews after the main
    /// image are tried. If an embedded image has its own color profile, that profile applies instead
    /// of the profile of the main image.
    func standIn(
        _ metadata: JPEGMetadata,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> DecodedImage? {
        let size = plan.storedSize
        let isGray = metadata.componentCount == 1
        if let bytes = metadata.thumbnail, metadata.isThumbnailCurrent(for: size),
            let pixels = try standIn(bytes, plan: plan),
            let image = try image(of: pixels, embeddedAs: bytes, isGray: isGray, plan: plan)
        {
            return image
        }
        for bytes in metadata.previews(of: size) {
            if let pixels = try standIn(preview: bytes, plan: plan),
                let image = try image(of: pixels, embeddedAs: bytes, isGray: isGray, plan: plan)
            {
                return image
            }
        }
        return nil
    }

    /// Returns the embedded image `bytes`, decoded to `pixels`, in sRGB.
    ///
    /// `isGray` is true if the main image is gray. If only the embedded image is gray, returns nil.
    private func image(
        of pixels: PixelBuffer,
        embeddedAs bytes: UnsafeBufferPointer<UInt8>,
        isGray: Bool,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> DecodedImage? {
        let metadata = JPEGHeaderSegments(bytes).metadata
        let isEmbeddedGray = metadata.componentCount == 1
        guard isGray || !isEmbeddedGray else { return nil }
        var plan = plan
        if let profile = try? metadata.profile(limit: Self.maximumThumbnailProfileByteCount) {
            plan.setColors(FileColors(profile, isGray: isEmbeddedGray))
        }
        var image = try plan.image(from: pixels, isFinal: true)
        image.isThumbnail = true
        return image
    }

    /// The maximum number of bytes of an embedded image's profile; a larger profile is ignored.
    private static let maximumThumbnailProfileByteCount = 64 << 10

    /// Decodes the thumbnail, crops its black bars, and scales the rest to the target size of
    /// `plan`.
    ///
    /// Cameras add the bars if the aspect ratio of the image is not 4:3. Returns nil if the
    /// thumbnail is too small or has an unexpected shape.
    private func standIn(
        _ bytes: UnsafeBufferPointer<UInt8>,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> PixelBuffer? {
        let target = plan.storedTarget
        guard
            let stored = try decoded(
                bytes,
                options: plan.optionsOfThumbnail,
                isWanted: { $0.contains(target) }
            ), let part = stored.part(showing: plan.storedSize),
            PixelSize(width: part.width, height: part.height).contains(target)
        else { return nil }
        return stored.resampled(to: target, from: part)
    }

    /// Decodes a preview, which must have the same aspect ratio as the image.
    private func standIn(
        preview bytes: UnsafeBufferPointer<UInt8>,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> PixelBuffer? {
        try decoded(
            bytes,
            options: plan.optionsOfPreview,
            isWanted: { $0.contains(plan.storedTarget) && $0.hasShape(of: plan.storedSize) }
        )?.resampled(to: plan.storedTarget)
    }

    /// Decodes an embedded image as stored; returns nil if decoding fails.
    ///
    /// The embedded image's own EXIF, thumbnail and profile are ignored. If `isWanted` returns
    /// false for its size, returns nil without decoding.
    func decoded(
        _ bytes: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions,
        isWanted: (PixelSize) -> Bool
    ) throws(ImageDecodingError) -> PixelBuffer? {
        do throws(ImageDecodingError) {
            let reader = try JPEGReader(bytes)
            let header = try reader.readHeader()
            guard isWanted(header.size) else { return nil }
            let plan = try DecodingPlan(
                properties: properties(of: header, orientation: .upright),
                options: options
            )
            let scale = JPEGScale(
                from: plan.storedSize,
                to: plan.storedTarget,
                coarsestSampling: header.coarsestSampling
            )
            try plan.checkMemory(workByteCount(header, plan: plan, scale: scale))
            return try pixels(from: reader, header: header, plan: plan, scale: scale).pixels
        } catch {
            guard error != .cancelled else { throw error }
            return nil
        }
    }
}

extension DecodingPlan {
    /// The options for decoding this image's thumbnail.
    ///
    /// The limits are far above the 160 by 120 pixels that cameras write.
    var optionsOfThumbnail: DecodingOptions {
        options(maximumSide: 1_024, maximumPixelCount: 1 << 18, maximumByteCount: 4 << 20)
    }

    /// The options for decoding an embedded preview.
    ///
    /// The limits are above the size of the largest previews, 1,920 by 1,440 pixels. The preview is
    /// reduced while it is decoded.
    fileprivate var optionsOfPreview: DecodingOptions {
        var options = options(
            maximumSide: 4_096,
            maximumPixelCount: 1 << 22,
            maximumByteCount: 32 << 20
        )
        options.targetSize = storedTarget
        return options
    }

    private func options(
        maximumSide: Int,
        maximumPixelCount: Int,
        maximumByteCount: Int
    ) -> DecodingOptions {
        var limits = DecodingLimits(
            maximumPixelCount: maximumPixelCount,
            maximumByteCount: maximumByteCount
        )
        limits.maximumSide = maximumSide
        limits.maximumDuration = .seconds(1)
        limits.maximumScanCount = 20
        return DecodingOptions(limits: limits, isCancelled: isCancelled)
    }
}

extension PixelSize {
    fileprivate func contains(_ other: PixelSize) -> Bool {
        width >= other.width && height >= other.height
    }

    /// Returns whether the aspect ratio matches the aspect ratio of `size`.
    ///
    /// The tolerance is 2%, because the sides of a thumbnail of 160 pixels are rounded.
    func hasShape(of size: PixelSize) -> Bool {
        let ratio = Double(width * size.height) / Double(max(1, height * size.width))
        return !isEmpty && abs(ratio - 1) <= 0.02
    }
}

extension PixelBuffer {
    /// The maximum mean sample value (0 to 255) of a black bar.
    private static let barLevel = 20

    /// Returns the part of a thumbnail that shows an image of the size `picture`.
    ///
    /// This is the entire thumbnail or the part between black bars. Returns nil if the thumbnail
    /// has a different aspect ratio and no black bars.
    fileprivate func part(showing picture: PixelSize) -> PixelRect? {
        if size.hasShape(of: picture) {
            return PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        }
        let shown = picture.scaled(into: size, mode: .fit)
        // Crops one more pixel on each side, because a JPEG block may contain parts of both the bar
        // and the image.
        let (x, y) = ((size.width - shown.width + 1) / 2, (size.height - shown.height + 1) / 2)
        let rect = PixelRect(
            x: x > 0 ? x + 1 : 0,
            y: y > 0 ? y + 1 : 0,
            width: shown.width - (x > 0 ? 2 : 0),
            height: shown.height - (y > 0 ? 2 : 0)
        )
        let bars = [
            PixelRect(x: 0, y: 0, width: size.width, height: y - 1),
            PixelRect(x: 0, y: size.height - y + 1, width: size.width, height: y - 1),
            PixelRect(x: 0, y: 0, width: x - 1, height: size.height),
            PixelRect(x: size.width - x + 1, y: 0, width: x - 1, height: size.height),
        ].filter { $0.width > 0 && $0.height > 0 }
        guard rect.width > 0, rect.height > 0, !bars.isEmpty,
            bars.allSatisfy({ meanLevel(of: $0) <= Self.barLevel })
        else { return nil }
        return rect
    }

    private func meanLevel(of rect: PixelRect) -> Int {
        let levels = (rect.y..<rect.y + rect.height).flatMap { row in
            (rect.x..<rect.x + rect.width).map { column in
                (0..<3).reduce(0) { $0 + Int(bytes[(row * size.width + column) * 4 + $1]) }
            }
        }
        return levels.reduce(0, +) / max(1, levels.count * 3)
    }
}
