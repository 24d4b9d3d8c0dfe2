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

    /// The thumbnail at the size of the result; nil if it is none, or none of this picture.
    ///
    /// It is decoded as it is stored: its own EXIF, thumbnail and profile do not count.
    private func thumbnail(
        _ bytes: [UInt8],
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> PixelBuffer? {
        guard !bytes.isEmpty else { return nil }
        do throws(ImageDecodingError) {
            return try bytes.withUnsafeBufferPointer {
                (buffer) throws(ImageDecodingError) -> PixelBuffer? in
                let reader = try JPEGReader(buffer)
                let header = try reader.readHeader()
                guard isUsable(header.size, plan: plan) else { return nil }
                let properties = properties(of: header, orientation: .upright)
                let own = try DecodingPlan(properties: properties, options: plan.optionsOfThumbnail)
                let (stored, _) = try pixels(
                    from: reader,
                    header: header,
                    plan: own,
                    scale: .full
                )
                return stored.resampled(to: plan.storedTarget)
            }
        } catch {
            guard error != .cancelled else { throw error }
            return nil
        }
    }

    /// Whether a thumbnail of `size` shows the whole picture and no bars beside it, and is sharp
    /// enough.
    ///
    /// Cameras pad pictures of other shapes than 4:3 with black: the sides are then apart by more
    /// than the 2 % that rounding to 160 pixels can make.
    private func isUsable(_ size: PixelSize, plan: DecodingPlan) -> Bool {
        let (stored, target) = (plan.storedSize, plan.storedTarget)
        let ratio = Double(size.width * stored.height) / Double(size.height * stored.width)
        return !size.isEmpty && abs(ratio - 1) <= 0.02
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
