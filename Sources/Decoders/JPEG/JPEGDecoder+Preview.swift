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
        if let thumbnail = try thumbnail(metadata, plan: plan) {
            return stored?.laid(over: thumbnail) ?? thumbnail
        }
        guard let stored else { throw .truncated(.jpeg) }
        return stored
    }

    /// The thumbnail at the size of the result; nil if it is none, or none of this picture.
    private func thumbnail(
        _ metadata: JPEGMetadata,
        plan: DecodingPlan
    ) throws(ImageDecodingError) -> PixelBuffer? {
        guard let bytes = metadata.thumbnail,
            let stored = try decoded(
                bytes,
                options: plan.optionsOfThumbnail,
                isWanted: { isUsable($0, plan: plan) }
            )
        else { return nil }
        return stored.resampled(to: plan.storedTarget)
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
