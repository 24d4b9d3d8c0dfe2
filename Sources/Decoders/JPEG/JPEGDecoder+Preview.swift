/// Previews from the thumbnail in the picture's EXIF: it comes with the first few kilobytes, long
/// before the picture's rows do.
extension JPEGDecoder {
    /// The least that a preview is enlarged from: half of its width and height.
    private static let maximumEnlargement = 2

    /// What has come of a picture, over its thumbnail if that fits and anything is missing.
    ///
    /// `stored` is nil if nothing has come.
    func preview(
        _ stored: PixelBuffer?,
        metadata: JPEGMetadata,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> PixelBuffer {
        if let stored, !stored.isCut { return stored }
        if let thumbnail = try thumbnail(metadata.thumbnail, plan: plan) {
            return stored?.laid(over: thumbnail) ?? thumbnail
        }
        guard let stored else { throw .truncated(.jpeg) }
        return stored
    }

    /// The thumbnail at the size of the result, if it can stand for the picture: nothing says that it is
    /// of another one, and it has the pixels.
    ///
    /// Cameras pad pictures of other shapes than 4:3 with black bars, which are left out.
    func standIn(
        _ metadata: JPEGMetadata,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> PixelBuffer? {
        let (bytes, target) = (metadata.thumbnail, plan.storedTarget)
        guard !bytes.isEmpty, metadata.isThumbnailCurrent(for: plan.storedSize),
            let stored = try decoded(
                bytes,
                plan: plan,
                isWanted: { $0.width >= target.width && $0.height >= target.height }
            ),
            let part = stored.part(showing: plan.storedSize),
            part.width >= target.width, part.height >= target.height
        else { return nil }
        return stored.resampled(to: target, from: part)
    }

    /// The thumbnail at the size of the result; nil if it is none, or none of this picture.
    private func thumbnail(
        _ bytes: [UInt8],
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> PixelBuffer? {
        guard !bytes.isEmpty,
            let stored = try decoded(bytes, plan: plan, isWanted: { isUsable($0, plan: plan) })
        else { return nil }
        return stored.resampled(to: plan.storedTarget)
    }

    /// A thumbnail as it is stored: its own EXIF, thumbnail and profile do not count.
    ///
    /// Not decoded, and nil, unless `isWanted` holds for its size.
    private func decoded(
        _ bytes: [UInt8],
        plan: DecodingPlan,
        isWanted: (PixelSize) -> Bool
    ) throws(ImageDecodingError) -> PixelBuffer? {
        do throws(ImageDecodingError) {
            return try bytes.withUnsafeBufferPointer {
                (buffer) throws(ImageDecodingError) -> PixelBuffer? in
                let reader = try JPEGReader(buffer)
                let header = try reader.readHeader()
                guard isWanted(header.size) else { return nil }
                let properties = properties(of: header, orientation: .upright)
                let own = try DecodingPlan(properties: properties, options: plan.optionsOfThumbnail)
                return try pixels(from: reader, header: header, plan: own, scale: .full).pixels
            }
        } catch {
            guard error != .cancelled else { throw error }
            return nil
        }
    }

    /// Whether a thumbnail of `size` shows the whole picture and no bars beside it, and is sharp
    /// enough.
    private func isUsable(_ size: PixelSize, plan: DecodingPlan) -> Bool {
        let (stored, target) = (plan.storedSize, plan.storedTarget)
        return size.hasShape(of: stored)
            && target.width <= size.width * Self.maximumEnlargement
            && target.height <= size.height * Self.maximumEnlargement
    }
}

extension DecodingPlan {
    /// How a thumbnail inside of this picture is decoded: with limits that those of cameras, 160 by
    /// 120 pixels, keep by far.
    fileprivate var optionsOfThumbnail: DecodingOptions {
        var limits = DecodingLimits(maximumPixelCount: 1 << 18, maximumByteCount: 4 << 20)
        limits.maximumSide = 1024
        limits.maximumDuration = .seconds(1)
        limits.maximumScanCount = 20
        return DecodingOptions(limits: limits, isCancelled: isCancelled)
    }
}

extension PixelBuffer {
    /// Whether rows at the end have not come.
    fileprivate var isCut: Bool { hasAlpha && bytes.last != 255 }

    /// This, which may be transparent, over `other` of the same size, which is not.
    fileprivate func laid(over other: PixelBuffer) -> PixelBuffer {
        let above = bytes
        let mixed = zip(above.indices, other.bytes).map { index, below in
            let alpha = Int(above[index | 3])
            return UInt8((Int(above[index]) * alpha + Int(below) * (255 - alpha) + 127) / 255)
        }
        return PixelBuffer(size: size, bytes: mixed, hasAlpha: false)
    }
}

extension PixelSize {
    /// Whether the sides are those of a picture of `size`, but for the 2 % that rounding to 160 pixels
    /// can make.
    fileprivate func hasShape(of size: PixelSize) -> Bool {
        let ratio = Double(width * size.height) / Double(max(1, height * size.width))
        return !isEmpty && abs(ratio - 1) <= 0.02
    }
}

extension PixelBuffer {
    /// The brightest that the bars beside a picture are on average.
    private static let barLevel = 20

    /// The part of a thumbnail that shows a picture of `size`: all of it, or what lies between black
    /// bars; nil if it has another shape.
    fileprivate func part(showing picture: PixelSize) -> PixelRect? {
        if size.hasShape(of: picture) {
            return PixelRect(x: 0, y: 0, width: size.width, height: size.height)
        }
        let shown = picture.scaled(into: size, mode: .fit)
        // A pixel more on each side, where the bar and the picture meet in one block of the JPEG.
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
