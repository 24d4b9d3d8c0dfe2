internal import Decoders

/// Methods that show previews while a body is being received and check whether a preview is
/// sufficient.
extension LoadTask {
    var decodingSchedule: DecodingSchedule {
        DecodingSchedule(
            targetSize: key.image.targetSize,
            contentMode: key.image.contentMode,
            acceptsThumbnail: key.acceptsThumbnail
        )
    }

    /// Creates a `PreviewMaker` that makes previews and sends them to the listeners.
    ///
    /// Previews are not stored. If a final preview may end the download, it is kept in
    /// `sufficientImage`.
    func makePreviews(_ known: KnownImage) -> PreviewMaker {
        let (decoding, key) = (engine.decoding, key)
        let steps = PreviewMaker.Steps(
            decode: { decoding.preview(of: $0, for: key, $1) },
            show: { [weak self] in self?.show($0, byteCount: $1, known) }
        )
        return PreviewMaker(
            PreviewSlot(schedule: decodingSchedule),
            pool: decoding.pool,
            clock: engine.clock,
            steps: steps
        )
    }

    /// Passes all received bytes to the preview maker if a listener can use a preview.
    func offerPreview(of bytes: [UInt8], expected: Int?, _ known: KnownImage) {
        guard let previews else { return }
        let least: DecodingSchedule.Gain
        if wantsPreviews {
            least = .preview
        } else if mayFinishEarly(known) {
            least = .final
        } else {
            return
        }
        let partial = PreviewSlot.PartialData(bytes: bytes, expected: expected)
        previews.offer(partial, least: least, priority: priority)
    }

    /// Returns whether the load may end before the body is complete.
    ///
    /// All listeners must have set `LoadingOptions.stopWhenSufficient`. The load must decode an
    /// image at a target size, must not be a refresh, and must have no `transformBody` hook. If an
    /// older body is on disk, a complete body is required to replace it.
    func mayFinishEarly(_ known: KnownImage) -> Bool {
        guard key.purpose == .image, key.image.targetSize != nil, !key.isRefresh,
            known.body == nil, engine.resolver.hooks.transformBody == nil
        else { return false }
        let listeners = listeners
        return !listeners.isEmpty
            && listeners.allSatisfy { $0.request.options.contains(.stopWhenSufficient) }
    }

    private func show(_ product: DecodeStage.Product, byteCount: Int, _ known: KnownImage) {
        let image = product.image
        if image.isFinal, mayFinishEarly(known) {
            sufficientImage = image
            engine.countDecode(product.duration, for: key)
            if download.finishEarly() { return }
        }
        var response = ImageResponse(
            image: image,
            source: .network,
            byteCount: byteCount,
            httpStatus: nil
        )
        response.isPreview = true
        for operation in listeners where operation.request.options.contains(.progressive) {
            operation.send(.preview(response))
        }
    }
}
