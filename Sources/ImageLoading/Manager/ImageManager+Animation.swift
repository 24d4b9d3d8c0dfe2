public import Decoders

extension ImageManager {
    /// Returns the frames of an animated image, decoded from a body that `data(for:)` returned.
    ///
    /// The frames are scaled according to `targetSize` and `contentMode`, and only the frames
    /// selected by the request are decoded. A still image has no frames; its `animation` is nil.
    /// Nothing is cached, because a player keeps the frames it shows. Decoding uses the decode
    /// threads, and a helper process if decoders are isolated. Cancelling the task stops the
    /// decoding.
    public func frames(
        of body: [UInt8],
        targetSize: PixelSize? = nil,
        contentMode: ImageContentMode = .fit,
        _ request: AnimationRequest = AnimationRequest()
    ) async throws(ImageLoadingError) -> DecodedImage {
        let stage = engine.decoding
        return try await stage.perform(PriorityHandle(priority: .high)) {
            (flag) throws(ImageLoadingError) in
            let options = DecodingOptions(
                targetSize: targetSize,
                contentMode: contentMode,
                limits: stage.limits,
                animation: request,
                isCancelled: { flag.isCancelled }
            )
            do throws(ImageDecodingError) {
                return try stage.registry.decode(body, options: options)
            } catch {
                throw .undecodable(error)
            }
        }
    }
}
