/// Finds out which work a request stands for: checks its URL, and asks the hooks that have a say in
/// which picture is meant.
struct RequestResolver: Sendable {
    let hooks: LoadingHooks
    /// The header fields of every request (rows D8, D9).
    let usualHeaders: [HeaderField]

    func key(
        for request: ImageRequest,
        purpose: LoadKey.Purpose = .picture
    ) throws(ImageLoadingError) -> LoadKey {
        var url = try ImageURL(parsing: request.url, origin: request.origin)
        let headers = headers(of: request, url: url)
        let policy = policy(of: request, url: url)
        let variant = CacheVariant(headers: headers, usual: usualHeaders, policy: policy)
        let name = hooks.cacheKey?(url)
        if let suffix = variant.suffix {
            url.cacheName = (name ?? url.cacheKey) + suffix
        } else {
            url.cacheName = name
        }
        return LoadKey(request, url: url, headers: headers, policy: policy, purpose: purpose)
    }

    private func headers(of request: ImageRequest, url: ImageURL) -> [HeaderField] {
        let headers = HeaderField.joined(usualHeaders, request.headers)
        return hooks.headers?(url, headers) ?? headers
    }

    private func policy(of request: ImageRequest, url: ImageURL) -> TransferPolicy {
        var policy = TransferPolicy()
        policy.handlesCookies = request.options.contains(.handleCookies)
        policy.allowsInvalidCertificates = request.options.contains(.allowInvalidCertificates)
        policy.refusesPrivateAddresses = request.origin.refusesPrivateAddresses
        if let credentials = hooks.credentials, let host = url.host {
            policy.credentials = credentials(host)
        }
        return policy
    }
}

extension HeaderField {
    /// `usual` fields and a request's `own`, which win by name.
    static func joined(_ usual: [HeaderField], _ own: [HeaderField]) -> [HeaderField] {
        guard !own.isEmpty else { return usual }
        return usual.filter { field in !own.contains { $0.isNamed(field.name) } } + own
    }
}

extension RequestOrigin {
    /// Whether its URLs may lead to this machine and its neighbours (row F32).
    var refusesPrivateAddresses: Bool { self == .remoteFeed }
}
