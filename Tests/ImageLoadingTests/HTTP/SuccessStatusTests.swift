import Decoders
import Testing

@testable import ImageLoading

/// The statuses with an image, and the stored part of it; over real sockets.
@Suite(.timeLimit(.minutes(5))) struct SuccessStatusTests {
    // F21
    @Test(arguments: [
        (200, true), (201, false), (202, false), (203, true), (207, false), (226, false),
    ])
    func `an image under any 2xx is shown, and kept if its status is cacheable`(
        status: Int,
        isKept: Bool
    ) async throws {
        let loaded = try await load(status: status, body: try ProgressiveFile.bytes())

        let response = try loaded.result.get()
        #expect(response.image.pixels.size == ProgressiveFile.size)
        #expect(response.httpStatus == status)
        #expect(await loaded.isOnDisk == isKept)
    }

    // C8
    @Test(arguments: ["max-age=60", "public", "private", "max-age=0, must-revalidate"])
    func `a 201 with an expiry is stored`(control: String) async throws {
        let fields = "Cache-Control: \(control)\r\n"
        let body = try ProgressiveFile.bytes()

        let loaded = try await load(status: 201, fields: fields, body: body)

        #expect(try loaded.result.get().httpStatus == 201)
        #expect(await loaded.isOnDisk)
    }

    // F21
    @Test(arguments: [
        (204, "204 no content"), (205, "205 reset content"), (200, "the server sent nothing"),
        (201, "the server sent nothing"), (206, "HTTP 206"), (304, "HTTP 304"),
    ])
    func `no body, and an unrequested part or 304, are clear errors`(
        status: Int,
        text: String
    ) async throws {
        let body = status == 206 ? try ProgressiveFile.bytes() : []

        let loaded = try await load(status: status, body: body)

        guard case .failure(let error) = loaded.result else {
            Issue.record("\(status) brought a picture")
            return
        }
        #expect(error.description == text)
        #expect(error.stage == .download)
        #expect(await !loaded.isOnDisk)
    }

    @Test(arguments: [(200, 60), (203, 60), (201, 0), (207, 0)])
    func `only a cacheable status has a heuristic lifetime`(status: Int, lifetime: Int) {
        let head = TransferHead(status: status, expectedByteCount: 1)
        let times = ExchangeTimes(request: 0, response: 0)

        let response = CachedResponse(head, of: [], times: times)

        #expect(Freshness(silentLifetime: 60).lifetime(of: response) == lifetime)
    }

    private struct Loaded {
        let result: Result<ImageResponse, ImageLoadingError>
        let manager: ImageManager
        let url: ImageURL
        let bench: CacheBench

        /// Whether the disk cache has the body after all pending writes.
        var isOnDisk: Bool {
            get async {
                await manager.engine.cache.disk?.flush()
                return await manager.engine.cache.disk?.contains(url) == true
            }
        }
    }

    private func load(
        status: Int,
        fields: String = "",
        body: [UInt8]
    ) async throws -> Loaded {
        let hasLength = status != 204 && status != 304
        let length = hasLength ? "Content-Length: \(body.count)\r\n" : ""
        let head = "HTTP/1.1 \(status) X\r\n\(fields)\(length)\r\n"
        let server = LoopbackServer { _ in [.send(Array(head.utf8) + body)] }
        let bench = try CacheBench()
        var configuration = ImageManagerConfiguration()
        configuration.disk = DiskCacheConfiguration(directory: bench.directory)
        configuration.transport = .patient
        configuration.downloader.maximumAttempts = 1
        let manager = ImageManager(configuration: configuration)
        let request = ImageRequest(url: server.url("/a"))
        let url = try ImageURL(parsing: request.url, origin: .local)
        let result: Result<ImageResponse, ImageLoadingError>
        do throws(ImageLoadingError) {
            result = .success(try await manager.response(for: request))
        } catch {
            result = .failure(error)
        }
        withExtendedLifetime(server) {}
        return Loaded(result: result, manager: manager, url: url, bench: bench)
    }
}
