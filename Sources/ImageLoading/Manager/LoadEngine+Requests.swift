/// Methods that request data for purposes other than loading an image.
extension LoadEngine {
    /// Returns the URL of the same image in the current version of its resource.
    ///
    /// Call this method if a transfer failed because the resource has changed. If the transfer
    /// failed for another reason, or if the program's image source does not find the image, the
    /// method throws `error`.
    func currentURL(
        of url: ImageURL,
        origin: RequestOrigin,
        after error: ImageLoadingError
    ) async throws(ImageLoadingError) -> String {
        guard case .changedResource = error.reason, case .source(let scheme) = url.scheme,
            let source = resolver.sources[scheme],
            let current = try await source.currentURL(
                of: url,
                reading: NetworkReader(self, origin: origin)
            )
        else { throw error }
        return current
    }

    /// Requests a URL and returns its body.
    ///
    /// Also returns the header fields that every request for the URL contains, and whether the
    /// server has a private address.
    func downloaded(
        _ url: String,
        _ fields: [HeaderField],
        origin: RequestOrigin,
        limits: TransferLimits = TransferLimits()
    ) async throws(ImageLoadingError) -> (DownloadedBody, [HeaderField], isFromPrivateAddress: Bool)
    {
        let url = try ImageURL(parsing: url, origin: .remoteFeed)
        var policy = resolver.basePolicy(for: url)
        (policy.refusesPrivateAddresses, policy.limits) = (true, limits)
        guard !resolver.isOffline else {
            throw ImageLoadingError(stage: .cache, kind: .policy, reason: .notCached)
        }
        do throws(ImageLoadingError) {
            return try await body(of: url, fields, policy)
        } catch {
            // The first request was refused before anything was sent, which reveals that the
            // address is private. The second request finds the same address, because libcurl caches
            // name resolutions for a minute. A different host is the target of a redirect and stays
            // refused.
            guard origin != .remoteFeed, case .privateAddress(url.host) = error.reason else {
                throw error
            }
            policy.refusesPrivateAddresses = false
            return try await body(of: url, fields, policy)
        }
    }

    private func body(
        of url: ImageURL,
        _ fields: [HeaderField],
        _ policy: TransferPolicy
    ) async throws(ImageLoadingError) -> (DownloadedBody, [HeaderField], Bool) {
        let own = resolver.headers(of: ImageRequest(url: url.absoluteString), url: url)
        let request = DownloadRequest(
            url: url.absoluteString,
            headers: HeaderField.joined(own, fields),
            policy: policy
        )
        let body = try await downloader.body(
            for: request,
            handle: DownloadHandle(priority: .high),
            onEvent: { _ in }
        )
        return (body, own, !policy.refusesPrivateAddresses)
    }
}
