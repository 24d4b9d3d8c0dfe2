package import ImageLoading

/// Methods that read documents from the network and the next pages that they link to.
extension FeedReader {
    /// Returns the feed in a server's response.
    ///
    /// URLs in the feed are relative to the final URL after redirects.
    package func feed(
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

    /// Returns the feed that a page without images refers to.
    ///
    /// Throws `error` if the page does not refer to a feed, or the feed's error if the feed can't
    /// be read either.
    package func feed(
        namedBy error: FeedError,
        title: String,
        origin: RequestOrigin
    ) throws(FeedError) -> Feed {
        guard let url = error.feedURL else { throw error }
        return try feed(at: url, title: title, origin: origin)
    }

    /// Reads another page of a feed.
    package func page(_ page: FeedPage) throws(FeedError) -> Feed {
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
