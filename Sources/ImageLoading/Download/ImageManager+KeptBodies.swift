internal import Decoders

/// Methods that store feeds for use when their servers cannot be reached.
extension ImageManager {
    private static let keptByteLimit = 8 << 20

    /// Fetches the body of a feed, like `body(of:origin:within:unless:)`.
    ///
    /// A stored body from an earlier session is revalidated, and returned if the server reports
    /// that it has not changed.
    package func feedBody(
        of url: String,
        origin: RequestOrigin,
        within limit: Duration,
        unless conditions: [HeaderField]
    ) async throws(ImageLoadingError) -> FetchedBody {
        guard conditions.isEmpty, let (bytes, kept) = await keptEntry(of: url, origin: origin),
            let place = keptPlace(of: url)
        else { return try await body(of: url, origin: origin, within: limit, unless: conditions) }
        let known = kept.response.conditionalFields(for: place.headers)
        let answer = try await body(of: url, origin: origin, within: limit, unless: known)
        guard answer.isUnchanged else { return answer }
        var body = FetchedBody(bytes, kept)
        body.conditions = answer.conditions
        body.response = kept.response.confirmed(by: answer.response)
        return body
    }

    private func keptEntry(
        of url: String,
        origin: RequestOrigin
    ) async -> (bytes: [UInt8], kept: KeptBody)? {
        guard let disk = engine.cache.disk, let place = keptPlace(of: url),
            let entry = await disk.entry(for: place.url),
            let kept = KeptBody(decoding: entry.metadata),
            !kept.isFromPrivateAddress || origin != .remoteFeed
        else { return nil }
        return (entry.bytes, kept)
    }

    /// Stores a body that `body(of:)` returned, replacing any earlier body of the URL.
    ///
    /// If the server does not allow storage, the earlier body is removed. A body that is empty,
    /// unchanged or larger than `keptByteLimit` is ignored.
    package func keep(_ body: FetchedBody, of url: String) {
        guard let response = body.response, !body.isUnchanged, !body.bytes.isEmpty,
            body.bytes.count <= Self.keptByteLimit, let disk = engine.cache.disk,
            let place = keptPlace(of: url)
        else { return }
        guard response.mayBeStored else { return disk.removeSoon(place.url) }
        let kept = KeptBody(
            url: body.url,
            isFromPrivateAddress: body.isFromPrivateAddress,
            link: body.headers["link"],
            contentType: body.headers["content-type"],
            response: response
        )
        disk.store(body.bytes, metadata: kept.encoded(), for: place.url)
    }

    /// Returns the stored body of a URL if it may be used after `error`.
    ///
    /// It may be used if the server did not respond or must not be contacted, or if the caching
    /// rules allow it. `origin` is the origin of the URL. If `origin` is an untrusted feed and the
    /// body was fetched from a private address, the method returns nil.
    package func keptBody(
        of url: String,
        origin: RequestOrigin,
        after error: ImageLoadingError
    ) async -> FetchedBody? {
        guard let (bytes, kept) = await keptEntry(of: url, origin: origin),
            let place = keptPlace(of: url)
        else { return nil }
        let decision = engine.bodyStore.reuse.decision(
            for: kept.response,
            place,
            at: engine.clock.wallTime()
        )
        // The stored body is shown and labeled as an earlier state. It is part of a history, where
        // freshness does not matter (RFC 9111, section 6). The `no-cache` that most feeds send
        // refers to their next version.
        let isAnswered =
            error.reason != .notCached
            && !CacheDecision.mayServeOnError(.noAnswer).allowsUse(after: error)
        guard decision != .notStorable, !isAnswered || decision.allowsUse(after: error) else {
            return nil
        }
        return FetchedBody(bytes, kept)
    }

    /// Returns the key of the stored body of a URL.
    ///
    /// URLs have no fragment here, so the `#feed` suffix distinguishes the key from image keys.
    private func keptPlace(of url: String) -> LoadKey? {
        let request = ImageRequest(url: url, origin: .remoteFeed)
        guard let key = try? engine.resolver.key(for: request, purpose: .data) else { return nil }
        var place = key.url
        place.cacheName = place.fileKey + "#feed"
        return LoadKey(
            request,
            url: place,
            headers: key.headers,
            policy: key.policy,
            purpose: .data
        )
    }
}

/// The metadata of a stored body.
struct KeptBody: Hashable, Sendable {
    private static let version: UInt8 = 0xF1

    private enum Tag {
        static let url: UInt8 = 1
        static let isPrivate: UInt8 = 2
        static let link: UInt8 = 3
        static let response: UInt8 = 4
        static let contentType: UInt8 = 5
    }

    /// The final URL after redirects.
    let url: String
    let isFromPrivateAddress: Bool
    /// The `Link` header field, which contains the URL of the next page.
    let link: String?
    /// The `Content-Type` header field, which may contain the character set.
    let contentType: String?
    let response: CachedResponse

    init(
        url: String,
        isFromPrivateAddress: Bool,
        link: String?,
        contentType: String? = nil,
        response: CachedResponse
    ) {
        (self.url, self.link, self.response) = (url, link, response)
        (self.isFromPrivateAddress, self.contentType) = (isFromPrivateAddress, contentType)
    }

    init?(decoding bytes: [UInt8]) {
        guard let fields = TaggedFields(decoding: bytes, version: Self.version),
            let url = fields[text: Tag.url], let isPrivate = fields[number: Tag.isPrivate],
            let response = fields[bytes: Tag.response].flatMap({ CachedResponse(decoding: $0) })
        else { return nil }
        self.init(
            url: url,
            isFromPrivateAddress: isPrivate != 0,
            link: fields[text: Tag.link],
            contentType: fields[text: Tag.contentType],
            response: response
        )
    }

    func encoded() -> [UInt8] {
        var fields = TaggedFields()
        fields[text: Tag.url] = url
        fields[number: Tag.isPrivate] = isFromPrivateAddress ? 1 : 0
        fields[text: Tag.link] = link
        fields[text: Tag.contentType] = contentType
        fields[bytes: Tag.response] = response.encoded()
        return fields.encoded(version: Self.version)
    }
}
