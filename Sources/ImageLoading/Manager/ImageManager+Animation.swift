public import Decoders

extension ImageManager {
    /// The frames of an animated image, from those of its body that `data(for:)` gives.
    ///
    /// They come at `targetSize` and no others than the request asks for; a still image has none, and
    /// its `animation` is nil. Nothing is cached: a player keeps what it shows. Decodes on the decode
    /// threads, in a helper if decoders are isolated; cancelling the task ends that.
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
