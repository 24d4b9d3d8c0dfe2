/// Methods that decode a smaller image, embedded by a camera, instead of the image itself.
extension JPEGDecoder {
    /// An embedded image as stored.
    private struct Embedded {
        let metadata: JPEGMetadata
        let pixels: PixelBuffer
        /// The part of `pixels` that replaces the image.
        let part: PixelRect
        /// The part of `pixels` that shows the image, including the rows next to black bars.
        let area: DCBand.Area
    }

    /// Returns an embedded image, scaled to the size of the result, or nil if no embedded image is
    /// suitable.
    ///
    /// An embedded image is suitable if it has enough pixels, if nothing in the file suggests that
    /// it shows different content than the main image, and if the colors at its top are similar to
    /// those at the top of the main image. The thumbnail in the EXIF block is tried first, because
    /// it is in the first kilobytes of the file, and then the previews after the main image. If an
    /// embedded image has its own color profile, that profile is used instead of the profile of the
    /// main image.
    func standIn(
        _ file: UnsafeBufferPointer<UInt8>,
        header: JPEGHeaderSegments,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> DecodedImage? {
        let (size, metadata) = (plan.storedSize, header.metadata)
        var band: DCBand??
        func shown(_ embedded: Embedded) throws(ImageDecodingError) -> DecodedImage? {
            if band == nil { band = try DCDecoder.band(file, header: header, plan: plan) }
            guard case .some(.some(let band)) = band else { return nil }
            return try image(of: embedded, isGray: metadata.componentCount == 1, band, plan: plan)
        }
        if let bytes = metadata.thumbnail, metadata.isThumbnailCurrent(for: size),
            let embedded = try thumbnail(bytes, plan: plan), let image = try shown(embedded)
        {
            return image
        }
        for bytes in metadata.previews(of: size) {
            // Without a band, no embedded image can be compared.
            if case .some(.none) = band { return nil }
            if let embedded = try preview(bytes, plan: plan), let image = try shown(embedded) {
                return image
            }
        }
        return nil
    }

    /// Returns an embedded image in sRGB, or nil if its colors differ from those of `band`, the top
    /// of the main image.
    ///
    /// `isGray` is true if the main image is gray. If only the embedded image is gray, returns nil.
    private func image(
        of embedded: Embedded,
        isGray: Bool,
        _ band: DCBand,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> DecodedImage? {
        let isEmbeddedGray = embedded.metadata.componentCount == 1
        guard isGray || !isEmbeddedGray,
            let cells = band.cells(comparing: embedded.pixels, embedded.area)
        else { return nil }
        var ownPlan = plan
        if let profile = try? embedded.metadata.profile(
            limit: Self.maximumThumbnailProfileByteCount
        ) {
            ownPlan.setColors(FileColors(profile, isGray: isEmbeddedGray))
        }
        guard
            DCBand.areSimilar(
                try plan.image(from: cells.image).pixels,
                try ownPlan.image(from: cells.thumbnail).pixels
            )
        else { return nil }
        let pixels = embedded.pixels.resampled(to: plan.storedTarget, from: embedded.part)
        var image = try ownPlan.image(from: pixels, isFinal: true)
        image.isThumbnail = true
        return image
    }

    /// The maximum number of bytes of an embedded image's profile; a larger profile is ignored.
    private static let maximumThumbnailProfileByteCount = 64 << 10

    /// Decodes the thumbnail and finds its black bars.
    ///
    /// Cameras add the bars if the aspect ratio of the image is not 4:3. Returns nil if the
    /// thumbnail is too small or has an unexpected shape.
    private func thumbnail(
        _ bytes: UnsafeBufferPointer<UInt8>,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> Embedded? {
        let target = plan.storedTarget
        guard
            let stored = try decoded(
                bytes,
                options: plan.optionsOfThumbnail,
                isWanted: { $0.contains(target) }
            ), let part = stored.part(showing: plan.storedSize),
            PixelSize(width: part.width, height: part.height).contains(target)
        else { return nil }
        let isWhole = PixelSize(width: part.width, height: part.height) == stored.size
        return Embedded(
            metadata: JPEGHeaderSegments(bytes).metadata,
            pixels: stored,
            part: part,
            area: isWhole ? .whole(of: stored.size) : .between(barsOf: stored.size, plan.storedSize)
        )
    }

    /// Decodes a preview, which must have the same aspect ratio as the image.
    private func preview(
        _ bytes: UnsafeBufferPointer<UInt8>,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> Embedded? {
        try decoded(
            bytes,
            options: plan.optionsOfPreview,
            isWanted: { $0.contains(plan.storedTarget) && $0.hasShape(of: plan.storedSize) }
        ).map { pixels in
            Embedded(
                metadata: JPEGHeaderSegments(bytes).metadata,
                pixels: pixels,
                part: pixels.whole,
                area: .whole(of: pixels.size)
            )
        }
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
    /// reduced as it is decoded.
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

extension DCBand.Area {
    /// Returns the area of a thumbnail of `size` without bars.
    fileprivate static func whole(of size: PixelSize) -> Self {
        Self(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    }

    /// Returns the area between the bars of a thumbnail of `size` that shows `picture`.
    fileprivate static func between(barsOf size: PixelSize, _ picture: PixelSize) -> Self {
        let (width, height) = (Double(size.width), Double(size.height))
        let scale = min(width / Double(picture.width), height / Double(picture.height))
        let (shownWidth, shownHeight) =
            (Double(picture.width) * scale, Double(picture.height) * scale)
        return Self(
            x: (width - shownWidth) / 2,
            y: (height - shownHeight) / 2,
            width: shownWidth,
            height: shownHeight
        )
    }
}

extension PixelSize {
    fileprivate func contains(_ other: PixelSize) -> Bool {
        width >= other.width && height >= other.height
    }

    /// Returns whether the aspect ratio matches that of `size`.
    ///
    /// The tolerance is 2%, because the sides of a 160-pixel thumbnail are rounded.
    func hasShape(of size: PixelSize) -> Bool {
        let ratio = Double(width * size.height) / Double(max(1, height * size.width))
        return !isEmpty && abs(ratio - 1) <= 0.02
    }
}

extension PixelBuffer {
    /// The maximum mean sample value (0 to 255) of a black bar.
    private static let barLevel = 20

    /// Returns the part of a thumbnail that shows an image of size `picture`.
    ///
    /// This is the entire thumbnail or the part between black bars. Returns nil if the thumbnail
    /// has a different aspect ratio and no black bars.
    fileprivate func part(showing picture: PixelSize) -> PixelRect? {
        if size.hasShape(of: picture) { return whole }
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
