package import ImageLoading

/// A server's response to a request for a feed.
package struct RemoteFeed: Sendable {
    package let body: Result<ImageManager.FetchedBody, ImageLoadingError>
    /// The reason `body` is the stored body of an earlier response, or nil if it is new.
    package private(set) var fault: ImageLoadingError?

    /// Requests the feed from the server; `origin` is the origin of the URL.
    ///
    /// If the feed is in `known` or on disk, the server sends it only if it has changed. If the
    /// request fails without being cancelled, and the feed is not in `known`, the stored body of an
    /// earlier response is used.
    package init(
        _ url: String,
        origin: RequestOrigin,
        _ manager: ImageManager,
        within limit: Duration,
        known: KnownFeeds = KnownFeeds()
    ) async {
        do throws(ImageLoadingError) {
            let answer = try await manager.feedBody(
                of: url,
                origin: origin,
                within: limit,
                unless: known.conditions(for: .remote(url))
            )
            manager.keep(answer, of: url)
            body = .success(answer)
        } catch {
            guard error.kind != .cancelled, !known.has(.remote(url)),
                let kept = await manager.keptBody(of: url, origin: origin, after: error)
            else {
                body = .failure(error)
                return
            }
            body = .success(kept)
            fault = error
        }
    }

    /// Returns the feed, with a remark if it was parsed from the stored body of an earlier
    /// response.
    package func remarked(_ feed: Feed, name: String) -> Feed {
        guard let fault else { return feed }
        var feed = feed
        let remark = "\(name): showing the last known state, \(fault.description)"
        feed.remark = feed.remark.map { "\(remark); \($0)" } ?? remark
        return feed
    }

    /// The origin of the feed's contents, or nil if the request failed.
    ///
    /// A public feed must not refer to the user's own network. A feed from that network may refer
    /// to other hosts of the network; otherwise, the images of an intranet could not be shown.
    package var origin: RequestOrigin? {
        guard case .success(let body) = body else { return nil }
        return body.isFromPrivateAddress ? .privateFeed : .remoteFeed
    }
}

/// A list of feeds (OPML) that is opened as a single feed.
///
/// Nested lists are not followed, because two lists could refer to each other.
package struct FeedList {
    package let title: String
    package let addresses: [String]
    /// The number of listed feeds without a web URL.
    package var unusable = 0
    /// The origin of the list.
    package let origin: RequestOrigin

    /// The maximum number of feeds; a longer list is a mistake or an attack.
    private static let mostFeeds = 500

    /// Requests all feeds at once and joins them in order.
    ///
    /// The image loading engine limits the number of parallel transfers. Feeds that can't be read
    /// are skipped and mentioned in the remark. Throws if no feed can be read.
    package func feed(
        manager: ImageManager,
        timeLimit: Duration,
        known: KnownFeeds
    ) throws(FeedError) -> Feed {
        let addresses = Array(addresses.prefix(Self.mostFeeds))
        let origin = origin
        let answers = waitFor {
            await withTaskGroup(of: (Int, RemoteFeed).self) { group in
                for (index, address) in addresses.enumerated() {
                    group.addTask {
                        let answer = await RemoteFeed(
                            address,
                            origin: origin,
                            manager,
                            within: timeLimit,
                            known: known
                        )
                        return (index, answer)
                    }
                }
                return await group.reduce(into: [Int: RemoteFeed]()) { $0[$1.0] = $1.1 }
            }
        }
        var feeds: [Feed] = []
        var faults: [String] = []
        for (index, address) in addresses.enumerated() {
            guard let answer = answers[index] else { continue }
            do throws(FeedError) {
                feeds.append(try feed(address, answer: answer, known: known))
            } catch {
                if let feed = known.keep(.remote(address), because: error) {
                    feeds.append(feed)
                } else {
                    faults.append(error.description)
                }
            }
        }
        guard !feeds.isEmpty else {
            throw FeedError(
                "\(title): none of its feeds could be read: \(faults.first ?? "it names none")"
            )
        }
        var feed = Feed(joining: feeds)
        var remarks: [String] = []
        if let fault = faults.first {
            remarks.append(
                "\(faults.count) of \(addresses.count) feeds could not be read, the first: \(fault)"
            )
        }
        if unusable > 0 { remarks.append("left out \(unusable) without a web URL") }
        if self.addresses.count > addresses.count {
            remarks.append("left out the feeds after the first \(addresses.count)")
        }
        if !remarks.isEmpty { feed.remark = "\(title): \(remarks.joined(separator: "; "))" }
        return feed
    }

    private func feed(
        _ address: String,
        answer: RemoteFeed,
        known: KnownFeeds
    ) throws(FeedError) -> Feed {
        let name = URLParts.redacted(address)
        switch answer.body {
        case .failure(let error): throw FeedError(name: name, fault: error.description)
        case .success(let body):
            if let before = known.before(.remote(address), body) { return before.feed }
            let type = body.headers["content-type"]
            let feed = try Feed(
                parsing: FeedText.utf8(body.bytes, contentType: type, FeedOptions()),
                title: name,
                base: .url(body.url),
                origin: answer.origin ?? .remoteFeed
            )
            .subscribed(to: .remote(address))
            known.note(.remote(address), feed, of: body)
            return answer.remarked(feed, name: name)
        }
    }
}
