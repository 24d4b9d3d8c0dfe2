/// Methods that make previews from the thumbnail in the image's EXIF block.
///
/// The thumbnail is in the first few kilobytes of the file, so it is received long before the rows
/// of the image.
extension JPEGDecoder {
    /// The maximum factor by which a thumbnail is enlarged in each direction.
    private static let maximumEnlargement = 2

    /// Returns the received part of an image, blended over the thumbnail if rows are missing.
    ///
    /// An unusable thumbnail is omitted. `stored` contains the received rows; it is nil if no row
    /// has been received.
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

    /// Returns the thumbnail, scaled to the target size of `plan`, or nil if it is missing or does
    /// not match the image.
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

    /// Returns whether a thumbnail of `size` is sharp enough and shows the entire image without
    /// black bars.
    private func isUsable(_ size: PixelSize, plan: DecodingPlan) -> Bool {
        let (stored, target) = (plan.storedSize, plan.storedTarget)
        return size.hasShape(of: stored)
            && target.width <= size.width * Self.maximumEnlargement
            && target.height <= size.height * Self.maximumEnlargement
    }
}

extension PixelBuffer {
    /// Whether the last rows are missing.
    fileprivate var isCut: Bool { hasAlpha && bytes.last != 255 }

    /// Returns this buffer blended over `other`, which must be opaque and have the same size.
    fileprivate func laid(over other: PixelBuffer) -> PixelBuffer {
        let above = bytes
        let mixed = zip(above.indices, other.bytes).map { index, below in
            let alpha = Int(above[index | 3])
            return UInt8((Int(above[index]) * alpha + Int(below) * (255 - alpha) + 127) / 255)
        }
        return PixelBuffer(size: size, bytes: mixed, hasAlpha: false)
    }
}
