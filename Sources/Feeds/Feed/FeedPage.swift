package import ImageLoading

/// A part of a feed that has its own URL and has not been read yet.
package struct FeedPage: Hashable, Sendable {
    package let url: String
    /// The URL of the first page of the feed.
    package let start: String
    /// The number of preceding pages.
    package let number: Int
    /// The title of the feed.
    package let title: String
    /// The origin of the URL, which determines the schemes and hosts that the URL may have.
    package let origin: RequestOrigin
    /// The unread part of a paused feed, or nil if the page is requested by its URL.
    package var rest: FeedRest?
}

/// The unread part of a feed, which is not read until the user scrolls to it.
///
/// Values are compared by identity.
package final class FeedRest: Hashable, Sendable {
    /// A function that continues reading and blocks until the part is complete.
    package let read: @Sendable () -> Result<Feed, FeedError>

    /// Creates an unread part from a function that reads it.
    package init(read: @escaping @Sendable () -> Result<Feed, FeedError>) {
        self.read = read
    }

    package static func == (left: FeedRest, right: FeedRest) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension FeedPage {
    /// Returns the next page that a document specifies.
    ///
    /// The result is empty if the document specifies no next page, or if it specifies the current
    /// page.
    package static func following(
        _ next: FeedDocument.Next?,
        of base: FeedBase,
        title: String,
        origin: RequestOrigin
    ) -> [FeedPage] {
        let address: String? =
            switch next {
            case .address(let reference): base.link(reference)
            case .parameter(let name, let value):
                base.address.map { PageAddress($0).replacing(name, with: value) }
            case nil: nil
            }
        guard let address, address != base.address else { return [] }
        let start = base.address ?? address
        return [FeedPage(url: address, start: start, number: 1, title: title, origin: origin)]
    }

    /// Returns the next page that the server's `Link` field specifies.
    ///
    /// This page takes precedence over the next page that the document specifies.
    fileprivate static func following(
        linkField: String?,
        of base: FeedBase,
        title: String,
        origin: RequestOrigin
    ) -> [FeedPage] {
        let address = linkField.flatMap { LinkHeader.address(relation: "next", in: $0) }
        return following(address.map { .address($0) }, of: base, title: title, origin: origin)
    }
}

extension FeedError {
    /// Returns a copy of the error that includes the next page from a `Link` field, if any.
    package func with(
        linkField: String?,
        base: FeedBase,
        title: String,
        origin: RequestOrigin
    ) -> FeedError {
        var error = self
        let pages = FeedPage.following(linkField: linkField, of: base, title: title, origin: origin)
        if !pages.isEmpty { error.nextPages = pages }
        return error
    }
}

extension Feed {
    /// Returns a copy of the feed that includes the next page from a `Link` field, if any.
    package func with(linkField: String?, base: FeedBase) -> Feed {
        var feed = self
        feed.addPages(
            FeedPage.following(linkField: linkField, of: base, title: title, origin: origin)
        )
        return feed
    }

    /// Returns a copy of the feed with the unread part `rest` as the next page.
    ///
    /// `url` is the URL of that page.
    package func going(on rest: FeedRest, at url: String) -> Feed {
        var feed = self
        feed.addPages([
            FeedPage(url: url, start: url, number: 1, title: title, origin: origin, rest: rest)
        ])
        return feed
    }

    package mutating func addPages(_ pages: [FeedPage]) {
        guard !pages.isEmpty else { return }
        (nextPages, isOpen) = (pages, true)
    }

    /// Returns the feed with the items of its next page appended, or nil if `page` is not the next
    /// page.
    ///
    /// If reading the page failed, no items are appended.
    package func continued(by result: Result<Feed, FeedError>, after page: FeedPage) -> Feed? {
        guard nextPages.first == page else { return nil }
        var feed = self
        feed.remark = nil
        var following: [FeedPage] = []
        switch result {
        case .success(let piece):
            feed = appending(piece)
            feed.isBeingRead = isBeingRead
            feed.hasLaterPages = true
            feed.remark = piece.remark
            feed.replacedURLs = replacedURLs.union(piece.replacedURLs)
            following = piece.nextPages
        case .failure(let error):
            following = error.nextPages
            if following.isEmpty { feed.remark = "\(error); the entries read before are kept" }
        }
        let numbered = following.map { next in
            FeedPage(
                url: next.url,
                start: page.start,
                number: page.number + 1,
                title: page.title,
                origin: next.origin,
                rest: next.rest
            )
        }
        feed.nextPages = numbered + nextPages.dropFirst()
        feed.isOpen = !feed.nextPages.isEmpty
        return feed
    }

    /// Returns this feed followed by the items of its earlier version `old`, starting at `item`.
    ///
    /// This feed contains only the first pages, which were read again. The next page is also taken
    /// from the earlier version.
    package func followed(by old: Feed, from item: Int) -> Feed {
        let rest = (item..<old.count).map { old[$0] }
        let piece = Feed(items: rest, title: old.title, origin: old.origin)
        var feed = rest.isEmpty ? self : appending(piece)
        feed.hasLaterPages = true
        feed.remark = remark
        (feed.nextPages, feed.isOpen) = (old.nextPages, old.isOpen)
        return feed
    }
}

/// A URL with a query that can be changed.
private struct PageAddress {
    private let text: String

    init(_ text: String) { self.text = text }

    /// Returns the URL with this parameter at the end of the query.
    ///
    /// Other parameters of the same name and the fragment are removed.
    func replacing(_ name: String, with value: String) -> String {
        let whole = text.prefix { $0 != "#" }
        let path = whole.prefix { $0 != "?" }
        let others = whole.dropFirst(path.count + 1).split(separator: "&").filter { part in
            part.prefix { $0 != "=" } != name
        }
        let parameter = "\(name)=\(value.percentCoded())"
        return "\(path)?" + (others.map(String.init) + [parameter]).joined(separator: "&")
    }
}
