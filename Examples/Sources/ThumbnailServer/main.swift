// A thumbnail server: GET /?url=URL&width=WIDTH returns a JPEG of at most WIDTH x WIDTH pixels.
//
//     swift run ThumbnailServer 8080
//     curl -o cat.jpg 'http://127.0.0.1:8080/?url=https%3A%2F%2Fexample.org%2Fcat.jpg&width=200'
import Foundation
import ImageLoading
import NIOCore
import NIOHTTP1
import NIOPosix

IsolatedDecoding.runIfAsked()

var configuration = ImageManagerConfiguration()
configuration.disk = DiskCacheConfiguration(
    directory: DiskCacheConfiguration.defaultDirectory(named: "thumbnail-server")
)
let manager = ImageManager(configuration: configuration)

/// The response to one request.
struct Reply {
    var status: HTTPResponseStatus
    var type = "text/plain"
    var body: [UInt8]

    init(_ status: HTTPResponseStatus, _ text: String) {
        self.status = status
        body = Array(text.utf8)
    }

    init(jpeg: [UInt8]) {
        status = .ok
        type = "image/jpeg"
        body = jpeg
    }
}

/// Loads the requested image at the requested size, and encodes it.
///
/// The URL comes from a client, so it must not lead to this machine or to a private network.
func reply(to uri: String) async -> Reply {
    let items = URLComponents(string: uri)?.queryItems ?? []
    let value = { (name: String) in items.first { $0.name == name }?.value }
    guard let url = value("url") else { return Reply(.badRequest, "The URL is missing.\n") }
    let width = min(max(value("width").flatMap(Int.init) ?? 200, 1), 2000)
    let size = PixelSize(width: width, height: width)
    let request = ImageRequest(url: url, targetSize: size, origin: .remoteFeed)
    do {
        let image = try await manager.response(for: request).image
        return Reply(jpeg: try JPEGEncoder.encode(image.pixels, quality: 85))
    } catch let error as ImageLoadingError {
        return Reply(.badGateway, "\(error.description)\n")
    } catch {
        return Reply(.internalServerError, "\(error)\n")
    }
}

typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

/// Answers the requests of one connection; its task ends with the connection.
func serve(_ connection: Connection) async throws {
    try await connection.executeThenClose { requests, responses in
        for try await case .head(let head) in requests {
            let reply = await reply(to: head.uri)
            var headers = HTTPHeaders()
            headers.add(name: "Content-Type", value: reply.type)
            headers.add(name: "Content-Length", value: "\(reply.body.count)")
            headers.add(name: "Cache-Control", value: "max-age=3600")
            let response = HTTPResponseHead(
                version: head.version,
                status: reply.status,
                headers: headers
            )
            try await responses.write(.head(response))
            try await responses.write(.body(.byteBuffer(ByteBuffer(bytes: reply.body))))
            try await responses.write(.end(nil))
        }
    }
}

let port = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 8080
let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
    .bind(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            return try Connection(wrappingChannelSynchronously: channel)
        }
    }
print("Listening on http://127.0.0.1:\(port)/")
try await withThrowingDiscardingTaskGroup { group in
    try await server.executeThenClose { connections in
        for try await connection in connections {
            // A client that disconnects ends only its own task.
            group.addTask { try? await serve(connection) }
        }
    }
}
