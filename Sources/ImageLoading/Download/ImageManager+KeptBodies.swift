internal import Decoders

/// Bodies of feeds on disk: what stands in where the server of one can't be asked.
extension ImageManager {
    /// The most of one that is kept.
    private static let keptByteLimit = 8 << 20

    /// Keeps a body that `body(of:)` brought, in place of an earlier one, if its server allows it.
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
            response: response
        )
        disk.store(body.bytes, metadata: kept.encoded(), for: place.url)
    }

    /// The body that was kept of a URL, if it may stand in after `error`: nobody answered, or nobody is
    /// to be asked.
    ///
    /// `origin` is who named the URL: a stranger is not told what an address of this network once had.
    package func keptBody(
        of url: String,
        origin: RequestOrigin,
        after error: ImageLoadingError
    ) async -> FetchedBody? {
        guard let disk = engine.cache.disk, let place = keptPlace(of: url),
            let entry = await disk.entry(for: place.url),
            let kept = KeptBody(decoding: entry.metadata),
            !kept.isFromPrivateAddress || origin != .remoteFeed
        else { return nil }
        let decision = engine.bodyStore.reuse.decision(
            for: kept.response,
            place,
            at: engine.clock.wallTime()
        )
        // It is shown as what it was, and said to be: a list of what was looked at, for which being
        // fresh does not matter (RFC 9111, 6). Most feeds say no-cache, and mean their next version.
        let isAnswered =
            error.reason != .notCached
            && !CacheDecision.mayServeOnError(.noAnswer).allowsUse(after: error)
        guard decision != .notStorable, !isAnswered || decision.allowsUse(after: error) else {
            return nil
        }
        return FetchedBody(entry.bytes, kept)
    }

    /// Beside the entries of pictures: no URL here has a fragment.
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

/// What is noted of a kept body.
struct KeptBody: Hashable, Sendable {
    private static let version: UInt8 = 0xF1

    private enum Tag {
        static let url: UInt8 = 1
        static let isPrivate: UInt8 = 2
        static let link: UInt8 = 3
        static let response: UInt8 = 4
    }

    /// Where it came from, behind redirects.
    let url: String
    let isFromPrivateAddress: Bool
    /// The field `Link`, which says where a feed goes on.
    let link: String?
    let response: CachedResponse

    init(url: String, isFromPrivateAddress: Bool, link: String?, response: CachedResponse) {
        (self.url, self.link, self.response) = (url, link, response)
        self.isFromPrivateAddress = isFromPrivateAddress
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
            response: response
        )
    }

    func encoded() -> [UInt8] {
        var fields = TaggedFields()
        fields[text: Tag.url] = url
        fields[number: Tag.isPrivate] = isFromPrivateAddress ? 1 : 0
        fields[text: Tag.link] = link
        fields[bytes: Tag.response] = response.encoded()
        return fields.encoded(version: Self.version)
    }
}
