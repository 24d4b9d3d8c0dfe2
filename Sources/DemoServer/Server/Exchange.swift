import Decoders
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1

/// A parsed request: the requested resource and the required behavior of the response.
struct Exchange {
    let request: HTTPRequestHead
    let site: DemoSite
    let route: Route
    let faults: Faults
    private let imageRequest: DemoImageRequest

    init(head: HTTPRequestHead, site: DemoSite) {
        request = head
        self.site = site
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? parts[1] : ""
        route = Route(path: parts[0], count: site.configuration.count)
        imageRequest = DemoImageRequest(
            path: String(parts[0]),
            query: query,
            ifNoneMatch: head.headers.first(name: "If-None-Match"),
            range: head.headers.first(name: "Range"),
            ifRange: head.headers.first(name: "If-Range")
        )
        var faults = Faults()
        if case .image(let number, _) = route {
            faults = Faults(number: number, configuration: site.configuration)
        }
        if route != .counters { faults.apply(query: query) }
        self.faults = faults
    }

    /// Whether the request is counted in the statistics; requests for the statistics are not
    /// counted.
    var isCounted: Bool { route != .counters }

    /// Returns a future for the response; it completes when the image has been created.
    func reply(on eventLoop: any EventLoop) -> EventLoopFuture<Reply> {
        let isHead = request.method == .HEAD
        guard isHead || request.method == .GET else {
            var reply = Reply(status: 405, text: "GET and HEAD only\n")
            reply.headers["Allow"] = "GET, HEAD"
            return eventLoop.makeSucceededFuture(reply)
        }
        return wholeReply(on: eventLoop).map { reply in
            var reply = reply
            reply.isHeadOnly = isHead || reply.status == 304 || reply.status == 204
            return reply
        }
    }

    private func wholeReply(on eventLoop: any EventLoop) -> EventLoopFuture<Reply> {
        let configuration = site.configuration
        switch route {
        case .index:
            let page = DemoFeed.page(configuration)
            return eventLoop.makeSucceededFuture(
                Reply(text: page, contentType: "text/html; charset=utf-8")
            )
        case .feed:
            let reply = Reply(text: DemoFeed.text(configuration)).applying(faults)
            return eventLoop.makeSucceededFuture(reply)
        case .counters:
            let json = site.counters.withLockedValue { $0 }.json
            return eventLoop.makeSucceededFuture(Reply(text: json, contentType: "application/json"))
        case .image(let number, let format):
            return imageReply(number: number, format: format, on: eventLoop)
        case .nothing:
            return eventLoop.makeSucceededFuture(Reply(status: 404, text: "nothing here\n"))
        }
    }

    private func imageReply(
        number: Int,
        format: ImageFormat,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Reply> {
        if let reply = Reply.withoutImage(imageRequest, faults: faults) {
            return eventLoop.makeSucceededFuture(reply)
        }
        let seed = site.configuration.seed
        let key = DemoImageStore.Key(
            image: DemoImage(number: number, seed: seed),
            format: format,
            width: faults.width
        )
        let tag =
            faults.entityTag
            ?? "\(seed)-\(number)-\(faults.width ?? 0)-\(format.rawValue)"
        let (imageRequest, faults) = (imageRequest, faults)
        return site.body(key, eventLoop).map { bytes in
            if let raw = faults.raw {
                let type = format.mediaTypes.first ?? ""
                return raw.reply(body: bytes, contentType: type, path: imageRequest.path)
            }
            return Reply.image(
                bytes,
                format: format,
                request: imageRequest,
                faults: faults,
                entityTag: tag.isEmpty ? "" : "\"\(tag)\""
            )
        }
    }

    /// Returns the head of a response: its status and header fields.
    func head(of reply: Reply) -> HTTPResponseHead {
        var headers = HTTPHeaders()
        headers.add(name: "Content-Type", value: reply.contentType)
        if reply.status != 304, reply.status != 204 {
            headers.add(name: "Content-Length", value: String(reply.announcedLength))
        }
        for (name, value) in reply.headers.sorted(by: { $0.key < $1.key }) {
            headers.add(name: name, value: value)
        }
        if reply.ending != .keepOpen { headers.add(name: "Connection", value: "close") }
        return HTTPResponseHead(
            version: request.version,
            status: .init(statusCode: reply.status),
            headers: headers
        )
    }
}

/// The resource that the path of a request refers to.
enum Route: Equatable {
    case index
    case feed
    case counters
    case image(number: Int, format: ImageFormat)
    case nothing

    /// Parses a path such as `/pictures/17.jpg`.
    init(path: Substring, count: Int) {
        switch path {
        case "/", "/index.html": self = .index
        case "/feed.txt": self = .feed
        case "/counters.json": self = .counters
        default: self = Self.image(path, count: count) ?? .nothing
        }
    }

    private static func image(_ path: Substring, count: Int) -> Route? {
        guard path.hasPrefix("/pictures/") else { return nil }
        let parts = path.dropFirst(10).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), (1...max(1, count)).contains(number),
            String(number) == parts[0]
        else { return nil }
        switch parts[1] {
        case "jpg": return .image(number: number, format: .jpeg)
        case "png": return .image(number: number, format: .png)
        default: return nil
        }
    }
}

/// The feed and the HTML page that the server offers in addition to images.
enum DemoFeed {
    /// Returns the plain-text feed: one line per image with its URL, relative to the feed, and its
    /// caption.
    static func text(_ configuration: DemoConfiguration) -> String {
        var text = "# \(configuration.count) images made by the demo server\n"
        for number in stride(from: 1, through: configuration.count, by: 1) {
            let image = DemoImage(number: number, seed: configuration.seed)
            let suffix = image.format == .jpeg ? "jpg" : "png"
            text += "pictures/\(number).\(suffix) \(image.caption)\n"
        }
        return text
    }

    /// Returns the HTML page for visitors who use a browser.
    static func page(_ configuration: DemoConfiguration) -> String {
        """
        <!DOCTYPE html>
        <title>TermGallery demo server</title>
        <h1>TermGallery demo server</h1>
        <p>It makes \(configuration.count) images by number, for trying out and testing.
        <ul>
        <li><a href="feed.txt">feed.txt</a>: the feed, for <code>termgallery URL</code>
        <li><a href="pictures/1.jpg">pictures/1.jpg</a>, <a href="pictures/1.png">.png</a>: an image
        <li><a href="counters.json">counters.json</a>: what was asked and sent so far
        </ul>
        <p>An image's query sets its <code>width</code> or makes it misbehave: <code>latency</code> (ms), <code>bandwidth</code>
        (bytes/s), <code>status</code>, <code>redirect</code> (hops), <code>html</code>,
        <code>corrupt</code>, <code>etag</code>; after so many bytes <code>truncate</code>,
        <code>reset</code>, <code>stall</code>; a wrong <code>length</code>; or <code>fault</code>:
        \(RawFault.allCases.map { "<code>\($0.rawValue)</code>" }.joined(separator: ", ")).

        """
    }
}
