import ImageLoading
import ImageLoadingTesting
import Testing

private let url = "http://a.example/1.jpg"

@Suite struct ImageDownloaderTests {
    let transport = ScriptedTransport()

    @Test func `a download brings the body and its head`() async throws {
        let downloader = ImageDownloader(transport: transport)

        async let body = downloader.body(for: DownloadRequest(url: url))
        await transport.waitForStarts(1)
        transport.respond(to: url, headers: ["etag": "x"], chunks: [[1, 2], [3]])

        #expect(try await body.bytes == [1, 2, 3])
        #expect(try await body.head.headers["etag"] == "x")
        #expect(downloader.statistics.transfersFinished == 1)
    }

    @Test func `cancelling the last caller's task stops the transfer and throws cancelled`()
        async throws
    {
        let downloader = ImageDownloader(transport: transport)

        let task = Task { try await downloader.body(for: DownloadRequest(url: url)) }
        await transport.waitForStarts(1)
        task.cancel()

        await #expect(throws: ImageLoadingError.cancelled) { try await task.value }
        await transport.waitForCancels(1)
        #expect(transport.record.cancelledURLs == [url])
    }
}
