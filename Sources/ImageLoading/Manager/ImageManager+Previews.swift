internal import Decoders

extension ImageManager {
    /// Shows a run's listeners what has come of the picture (rows V12, M41); nothing of it is kept
    /// (row M30).
    func previewMaker(for run: LoadRun) -> PreviewMaker {
        let decoding = decoding
        return PreviewMaker(
            pool: decoding.pool,
            decode: { decoding.preview(of: $0, for: run.key, $1) },
            show: { [weak self] image, byteCount in
                var response = ImageResponse(
                    image: image,
                    source: .network,
                    byteCount: byteCount,
                    httpStatus: nil
                )
                response.isPreview = true
                self?.tell(preview: response, to: run)
            }
        )
    }

    /// Not those who have not asked for previews.
    private func tell(preview: ImageResponse, to run: LoadRun) {
        let listeners = runs.withLock { $0.listeners(of: run.key, run: run.number) }
        for operation in listeners where operation.request.options.contains(.progressive) {
            operation.send(.image(preview))
        }
    }
}
