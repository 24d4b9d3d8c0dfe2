extension ImageManager {
    /// A body as it came, and from where.
    public struct FetchedBody: Hashable, Sendable {
        /// The body.
        public let bytes: [UInt8]
        /// Whether the server has an address of this machine or of a private network.
        public let isFromPrivateAddress: Bool
    }

    /// Fetches a body as it is, neither decoded nor cached: for feeds and other small texts.
    ///
    /// It shares the transfers' limits and slots with the images. Only `http` and `https`.
    public func body(of url: String) async throws(ImageLoadingError) -> FetchedBody {
        let url = try ImageURL(parsing: url, origin: .remoteFeed)
        guard !engine.resolver.isOffline else {
            throw ImageLoadingError(stage: .cache, kind: .policy, reason: .notCached)
        }
        do throws(ImageLoadingError) {
            return FetchedBody(
                bytes: try await bytes(of: url, refusingPrivateAddresses: true),
                isFromPrivateAddress: false
            )
        } catch {
            // Refused before anything was sent, and that tells what we want to know. The second
            // request finds the same address: libcurl keeps what a name stood for for a minute.
            // Another host is where a redirect from outside leads, and stays refused.
            guard case .privateAddress(url.host) = error.reason else { throw error }
            return FetchedBody(
                bytes: try await bytes(of: url, refusingPrivateAddresses: false),
                isFromPrivateAddress: true
            )
        }
    }

    private func bytes(
        of url: ImageURL,
        refusingPrivateAddresses isRefusing: Bool
    ) async throws(ImageLoadingError) -> [UInt8] {
        var policy = TransferPolicy()
        policy.refusesPrivateAddresses = isRefusing
        let request = DownloadRequest(
            url: url.absoluteString,
            headers: engine.resolver.usualHeaders,
            policy: policy
        )
        return try await engine.downloader.body(
            for: request,
            handle: DownloadHandle(priority: .high),
            onEvent: { _ in }
        ).bytes
    }
}
