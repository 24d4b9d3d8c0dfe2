extension ImageManager {
    /// Whether no transfer is begun (row D22).
    ///
    /// Those under way go on, and loads that a cache or a local file answers are answered; the rest
    /// wait.
    public var isSuspended: Bool {
        get { downloader.isSuspended }
        set { downloader.isSuspended = newValue }
    }

    /// What a load of `request` would fail with now without being tried, because it failed before;
    /// nil if it would be tried.
    ///
    /// Its description says for how long.
    public func rememberedFailure(of request: ImageRequest) -> ImageLoadingError? {
        guard let key = try? resolver.key(for: request) else { return nil }  // bad URLs have none
        let now = clock.uptime()
        return failures.withLock { $0.error(for: key.url, at: now) }
    }
}
