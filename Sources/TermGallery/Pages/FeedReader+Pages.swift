import GalleryCore
import ImageLoading

/// Documents of the network, which say where they go on.
extension FeedReader {
    /// The feed that an answer of a server holds.
    ///
    /// Addresses in it are relative to where it came from, behind redirects.
    func feed(
        in body: ImageManager.FetchedBody,
        title: String,
        origin: RequestOrigin,
        of source: FeedSource? = nil
    ) throws(FeedError) -> Feed {
        let base = FeedBase.url(body.url)
        let link = body.headers["link"]
        let type = body.headers["content-type"]
        let bytes = FeedText.utf8(body.bytes, contentType: type, options)
        do throws(FeedError) {
            return try feed(parsing: bytes, title: title, base: base, origin: origin, of: source)
                .with(linkField: link, base: base)
        } catch {
            throw error.with(linkField: link, base: base, title: title, origin: origin)
        }
    }

    /// The feed that a page names which shows no pictures itself; throws the page's error if there is
    /// none, and that of the feed if it can't be read either.
    func feed(
        namedBy error: FeedError,
        title: String,
        origin: RequestOrigin
    ) throws(FeedError) -> Feed {
        guard let url = error.feedURL else { throw error }
        return try feed(at: url, title: title, origin: origin)
    }

    /// Another page of a feed.
    func page(_ page: FeedPage) throws(FeedError) -> Feed {
        try feed(at: page.url, title: page.title, origin: page.origin)
    }

    private func feed(
        at url: String,
        title: String,
        origin: RequestOrigin
    ) throws(FeedError) -> Feed {
        let (manager, limit) = (manager, timeLimit)
        let answer = waitFor { await RemoteFeed(url, origin: origin, manager, within: limit) }
        switch answer.body {
        case .failure(let error):
            throw FeedError(name: URLParts.redacted(url), fault: error.description)
        case .success(let body):
            let feed = try feed(in: body, title: title, origin: answer.origin ?? .remoteFeed)
            return answer.remarked(feed, name: URLParts.redacted(url))
        }
    }
}
