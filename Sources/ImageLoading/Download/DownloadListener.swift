/// One waiting call of `ImageDownloader.body`.
struct DownloadListener: Sendable {
    let onEvent: @Sendable (DownloadEvent) -> Void
    let continuation: HandOver<Result<DownloadedBody, ImageLoadingError>>
}
