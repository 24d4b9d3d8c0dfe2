import Decoders
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1

/// One request, understood: what it names and how its answer is to behave.
struct Exchange {
    let request: HTTPRequestHead
    let site: DemoSite
    let route: Route
    let faults: Faults
    private let picture: PictureRequest

    init(head: HTTPRequestHead, site: DemoSite) {
        request = head
        self.site = site
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? parts[1] : ""
        route = Route(path: parts[0], count: site.configuration.count)
        picture = PictureRequest(
            path: String(parts[0]),
            query: query,
            ifNoneMatch: head.headers.first(name: "If-None-Match"),
            range: head.headers.first(name: "Range"),
            ifRange: head.headers.first(name: "If-Range")
        )
        var faults = Faults()
        if case .picture(let number, _) = route {
            faults = Faults(number: number, configuration: site.configuration)
        }
        if route != .counters { faults.apply(query: query) }
        self.faults = faults
    }

    /// Looking at the counters doesn't change them.
    var isCounted: Bool { route != .counters }

    /// The answer; takes as long as making its picture does.
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
        case .picture(let number, let format):
            return pictureReply(number: number, format: format, on: eventLoop)
        case .nothing:
            return eventLoop.makeSucceededFuture(Reply(status: 404, text: "nothing here\n"))
        }
    }

    private func pictureReply(
        number: Int,
        format: ImageFormat,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Reply> {
        if let reply = Reply.withoutPicture(picture, faults: faults) {
            return eventLoop.makeSucceededFuture(reply)
        }
        let seed = site.configuration.seed
        let key = PictureStore.Key(
            picture: DemoPicture(number: number, seed: seed),
            format: format,
            width: faults.width
        )
        let tag =
            faults.entityTag
            ?? "\(seed)-\(number)-\(faults.width ?? 0)-\(format.rawValue)"
        let (picture, faults) = (picture, faults)
        return site.body(key, eventLoop).map { bytes in
            Reply.picture(
                bytes,
                format: format,
                request: picture,
                faults: faults,
                entityTag: tag.isEmpty ? "" : "\"\(tag)\""
            )
        }
    }

    /// The answer's head as it goes over the wire.
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
