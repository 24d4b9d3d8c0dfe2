internal import Decoders

extension ImageManager {
    /// Shows a run's listeners what has come of the picture (rows V12, M41); nothing of it is kept
    /// (row M30), unless it is final and ends the download, which leaves it in `settled`.
    func previewMaker(
        for run: LoadTask,
        _ known: KnownPicture,
        settled: Protected<DecodedImage?>
    ) -> PreviewMaker {
        let (decoding, key) = (decoding, run.key)
        let steps = PreviewMaker.Steps(
            decode: { decoding.preview(of: $0, for: key, $1) },
            show: { [weak self] product, byteCount in
                let image = product.image
                if image.isFinal, self?.mayFinishEarly(run, known) == true {
                    settled.withLock { $0 = image }
                    self?.tracer.record(.decoded(product.duration), url: key.url.absoluteString)
                    if run.download.finishEarly() { return }
                }
                self?.tell(previewOf: image, byteCount: byteCount, to: run)
            }
        )
        let schedule = DecodingSchedule(
            targetSize: key.image.targetSize,
            contentMode: key.image.contentMode
        )
        return PreviewMaker(
            PreviewSlot(schedule: schedule),
            pool: decoding.pool,
            clock: clock,
            steps: steps
        )
    }

    /// The least that a decode of a beginning must bring for somebody to want it; nil if nobody
    /// does.
    func leastGain(for run: LoadTask, _ known: KnownPicture) -> DecodingSchedule.Gain? {
        if run.wantsPreviews { return .preview }
        return mayFinishEarly(run, known) ? .final : nil
    }

    /// Not those who have not asked for previews.
    private func tell(previewOf image: DecodedImage, byteCount: Int, to run: LoadTask) {
        var response = ImageResponse(
            image: image,
            source: .network,
            byteCount: byteCount,
            httpStatus: nil
        )
        response.isPreview = true
        let listeners = runs.withLock { $0.listeners(of: run.key, run: run.number) }
        for operation in listeners where operation.request.options.contains(.progressive) {
            operation.send(.image(response))
        }
    }
}
