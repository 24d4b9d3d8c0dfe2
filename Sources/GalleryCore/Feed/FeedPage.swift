internal import FeedDocuments
public import ImageLoading

/// A part of a feed that stands at an address of its own, and has not been read.
public struct FeedPage: Hashable, Sendable {
    /// Where it is.
    public let url: String
    /// The address of the first page of its feed.
    public let start: String
    /// How many pages come before it.
    public let number: Int
    /// What the feed is called.
    public let title: String
    /// Who named it.
    public let origin: RequestOrigin
    /// How it is read if that has begun already; nil of one that is asked for by its address.
    public internal(set) var rest: FeedRest?
}

/// What is left of a feed whose reading has stopped, until somebody looks so far.
///
/// Each is another one.
public final class FeedRest: Hashable, Sendable {
    /// Reads on; blocks for as long as that takes.
    public let read: @Sendable () -> Result<Feed, FeedError>

    /// Makes one of what reads on.
    public init(read: @escaping @Sendable () -> Result<Feed, FeedError>) {
        self.read = read
    }

    /// Whether they are the same one.
    public static func == (left: FeedRest, right: FeedRest) -> Bool { left === right }

    /// Takes in which one it is.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension FeedPage {
    /// What a document says of where it goes on; nothing if it is where it is already.
    static func following(
        _ next: FeedDocument.Next?,
        of base: FeedBase,
        _ title: String,
        _ origin: RequestOrigin
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

    /// What a server says of it in a `Link` field, which goes before what the document says.
    fileprivate static func following(
        linkField: String?,
        of base: FeedBase,
        _ title: String,
        _ origin: RequestOrigin
    ) -> [FeedPage] {
        let address = linkField.flatMap { LinkHeader.address(relation: "next", in: $0) }
        return following(address.map { .address($0) }, of: base, title, origin)
    }
}

extension FeedError {
    /// The same for a document with which this field came.
    public func with(
        linkField: String?,
        base: FeedBase,
        title: String,
        origin: RequestOrigin
    ) -> FeedError {
        var error = self
        let pages = FeedPage.following(linkField: linkField, of: base, title, origin)
        if !pages.isEmpty { error.nextPages = pages }
        return error
    }
}

extension Feed {
    /// The same for a document with which this field came.
    public func with(linkField: String?, base: FeedBase) -> Feed {
        var feed = self
        feed.addPages(FeedPage.following(linkField: linkField, of: base, title, origin))
        return feed
    }

    /// The same, with a part of what it names left to be read from an address.
    public func going(on rest: FeedRest, at url: String) -> Feed {
        var feed = self
        feed.addPages([
            FeedPage(url: url, start: url, number: 1, title: title, origin: origin, rest: rest)
        ])
        return feed
    }

    mutating func addPages(_ pages: [FeedPage]) {
        guard !pages.isEmpty else { return }
        (nextPages, isOpen) = (pages, true)
    }

    /// The feed with a page behind what it has, or without it if it can't be read; nil if it isn't the
    /// page that comes next.
    public func continued(by result: Result<Feed, FeedError>, after page: FeedPage) -> Feed? {
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

    /// The feed, of which the first pages were read again, with the items that followed them before,
    /// from this one on; it goes on where it went on.
    func followed(by old: Feed, from item: Int) -> Feed {
        let rest = (item..<old.count).map { old[$0] }
        let piece = Feed(items: rest, title: old.title, origin: old.origin)
        var feed = rest.isEmpty ? self : appending(piece)
        feed.hasLaterPages = true
        feed.remark = remark
        (feed.nextPages, feed.isOpen) = (old.nextPages, old.isOpen)
        return feed
    }
}

/// An address whose query is changed.
private struct PageAddress {
    private let text: String

    init(_ text: String) { self.text = text }

    /// With a parameter in place of any of that name, behind the others.
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
