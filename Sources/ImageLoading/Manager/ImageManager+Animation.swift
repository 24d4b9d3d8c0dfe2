public import Decoders
internal import SystemSupport

extension ImageManager {
    /// Decodes the frames of an animated image from a body returned by `data(for:)`.
    ///
    /// Only the frames that `request` selects are decoded, and they are scaled according to
    /// `targetSize` and `contentMode`. For a still image, the `animation` of the result is nil.
    /// Nothing is cached, because a player keeps the frames that it shows. The frames are decoded
    /// on the decode threads, and in a helper process if decoders are isolated. If the task is
    /// cancelled, decoding stops.
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
