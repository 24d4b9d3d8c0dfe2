internal import Decoders

/// What is shown of an image, and whether that is enough, while its body arrives.
extension LoadTask {
    var decodingSchedule: DecodingSchedule {
        DecodingSchedule(
            targetSize: key.image.targetSize,
            contentMode: key.image.contentMode,
            acceptsThumbnail: key.acceptsThumbnail
        )
    }

    /// Shows listeners what has come of the image.
    ///
    /// Nothing of it is kept, unless it is final and ends the download, which leaves it in
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

    /// Takes in what has come of a body, if a decode of it is of use to somebody.
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

    /// Whether the load may end with part of its body: every listener asks for
    /// `LoadingOptions.stopWhenSufficient`, and nothing has a use for the whole.
    ///
    /// An older body on disk is to be replaced, which only a whole one can.
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
            operation.send(.image(response))
        }
    }
}
