extension ImageManager {
    /// Fetches a body as it is, neither decoded nor cached: for feeds and other small texts.
    ///
    /// It shares the transfers' limits and slots with the pictures. Only `http` and `https`.
    public func body(of url: String) async throws(ImageLoadingError) -> [UInt8] {
        let url = try ImageURL(parsing: url, origin: .remoteFeed)
        let body = try await downloader.body(
            for: DownloadRequest(url: url.absoluteString, headers: resolver.usualHeaders),
            handle: DownloadHandle(priority: .high),
            onEvent: { _ in }
        )
        return body.bytes
    }
}
