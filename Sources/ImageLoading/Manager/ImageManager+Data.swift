extension ImageManager {
    /// An image's body as it came, not decoded.
    public struct ImageData: Hashable, Sendable {
        /// The body, after `LoadingHooks.transformBody` if there is one.
        public let bytes: [UInt8]
        /// Which level answered; never `memory`, which holds decoded images.
        public let source: ImageSource
        /// The HTTP status; nil unless the network answered.
        public let httpStatus: Int?
        /// Whether it is older than its server allows: the server can't be reached, allows it for a
        /// while, or must not be asked.
        public let isStale: Bool
    }

    /// The bytes of an image, through the disk cache: what is there is not asked for again, what
    /// comes is kept there.
    ///
    /// It shares the transfer with the loads of the same URL at whatever size. The bytes are not
    /// decoded: they may be of a format that no decoder knows. Target size, content mode and
    /// processors don't matter. Cancelling the task cancels the load.
    public func data(for request: ImageRequest) async throws(ImageLoadingError) -> ImageData {
        let response = try await response(for: request, .data)
        return ImageData(
            bytes: response.body ?? [],
            source: response.source,
            httpStatus: response.httpStatus,
            isStale: response.isStale
        )
    }

    /// A body as it came, and from where.
    public struct FetchedBody: Hashable, Sendable {
        /// The body.
        public let bytes: [UInt8]
        /// Whether the server has an address of this machine or of a private network.
        public let isFromPrivateAddress: Bool
    }

    /// Fetches a body as it is, neither decoded nor cached: for feeds and other small texts.
    ///
    /// It shares the transfers' limits and slots with the images. Only `http` and `https`; what a
    /// stranger's feed names (`origin`) must not lead to a private address.
    public func body(
        of url: String,
        origin: RequestOrigin = .local
    ) async throws(ImageLoadingError) -> FetchedBody {
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
            guard origin != .remoteFeed, case .privateAddress(url.host) = error.reason else {
                throw error
            }
            return FetchedBody(
                bytes: try await bytes(of: url, refusingPrivateAddresses: false),
                isFromPrivateAddress: true
            )
        }
    }

    /// As above, within a time that counts from the asking to the last byte: a server that drips is
    /// silent at no moment.
    package func body(
        of url: String,
        origin: RequestOrigin = .local,
        within limit: Duration
    ) async throws(ImageLoadingError) -> FetchedBody {
        let (hasTimedOut, clock) = (CancellationFlag(), engine.clock)
        let fetch = Task(executorPreference: StepExecutor.shared) {
            await Self.result { () async throws(ImageLoadingError) in
                try await self.body(of: url, origin: origin)
            }
        }
        // The alarm outlives the fetch, and must not keep what it brought.
        let running = Protected<Task<Result<FetchedBody, ImageLoadingError>, Never>?>(fetch)
        clock.notify(at: clock.uptime() + limit) {
            guard let fetch = running.withLock({ $0 }) else { return }
            hasTimedOut.cancel()
            fetch.cancel()
        }
        let result = await withTaskCancellationHandler {
            await fetch.value
        } onCancel: {
            fetch.cancel()
        }
        running.withLock { $0 = nil }
        guard case .failure(.cancelled) = result, hasTimedOut.isCancelled else {
            return try result.get()
        }
        throw .transfer(.timedOut, "not there after \(limit.components.seconds) s")
    }

    private static func result<Value>(
        _ work: () async throws(ImageLoadingError) -> Value
    ) async -> Result<Value, ImageLoadingError> {
        do throws(ImageLoadingError) {
            return .success(try await work())
        } catch {
            return .failure(error)
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
            headers: engine.resolver.headers(of: ImageRequest(url: url.absoluteString), url: url),
            policy: policy
        )
        return try await engine.downloader.body(
            for: request,
            handle: DownloadHandle(priority: .high),
            onEvent: { _ in }
        ).bytes
    }
}
