import ImageLoading
import ImageLoadingTesting
import Testing

private let url = "http://a.example/1.jpg"

@Suite struct ImageDownloaderTests {
    let transport = ScriptedTransport()

    // D19
    @Test func `a download brings the body and its head`() async throws {
        let downloader = ImageDownloader(transport: transport)

        async let body = downloader.body(for: DownloadRequest(url: url))
        await transport.waitForStarts(1)
        transport.respond(to: url, headers: ["etag": "x"], chunks: [[1, 2], [3]])

        #expect(try await body.bytes == [1, 2, 3])
        #expect(try await body.head.headers["etag"] == "x")
        #expect(downloader.statistics.transfersFinished == 1)
    }

    // O1
    @Test func `a task that is cancelled before it begins sends no request`() async {
        let downloader = ImageDownloader(transport: transport)

        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await downloader.body(for: DownloadRequest(url: url))
        }

        await #expect(throws: ImageLoadingError.cancelled) { try await task.value }
        #expect(transport.starts.isEmpty)
        #expect(downloader.statistics == DownloaderStatistics())
    }

    // F4
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
        #expect(downloader.statistics.transfersCancelled == 1)
    }

    // F1
    @Test func `cancelling one of two callers leaves the other its body`() async throws {
        let downloader = ImageDownloader(transport: transport)
        let joined = Gathering()
        let tasks = (0..<2).map { _ in
            Task {
                try await downloader.body(for: DownloadRequest(url: url)) { _ in joined.note() }
            }
        }
        // Each caller receives "queued" or the current progress when it joins, and the first caller
        // also receives the start.
        await joined.wait(for: 3)

        tasks[0].cancel()
        await #expect(throws: ImageLoadingError.cancelled) { try await tasks[0].value }
        transport.respond(to: url, chunks: [[4]])

        #expect(try await tasks[1].value.bytes == [4])
        #expect(transport.record.cancelledURLs.isEmpty)
        #expect(transport.starts.count == 1)
    }

    // D13
    @Test func `a failure reaches the caller unchanged`() async {
        let downloader = ImageDownloader(transport: transport)
        let error = ImageLoadingError(
            stage: .download,
            kind: .transient,
            reason: .transport(TransferFailure(.hostNotFound, text: "no such host"))
        )

        transport.answerStarts { _ in .failure(error) }

        await #expect(throws: error) { try await downloader.body(for: DownloadRequest(url: url)) }
    }

    // D22
    @Test func `cancelAll ends every caller`() async {
        let downloader = ImageDownloader(transport: transport)
        downloader.maximumConcurrentTransfers = 1
        let joined = Gathering()
        let tasks = (1...3).map { number in
            Task {
                let request = DownloadRequest(url: "http://a.example/\(number)")
                return try await downloader.body(for: request) { event in
                    if event == .queued { joined.note() }
                }
            }
        }
        await joined.wait(for: 3)

        downloader.cancelAll()

        for task in tasks {
            await #expect(throws: ImageLoadingError.cancelled) { try await task.value }
        }
        #expect(downloader.statistics.live == 0 && downloader.statistics.queued == 0)
    }

    // F24
    @Test func `a handle raises the priority of a download that waits`() async throws {
        let downloader = ImageDownloader(transport: transport)
        downloader.isSuspended = true
        downloader.maximumConcurrentTransfers = 1
        let joined = Gathering()
        let handles = (1...3).map { _ in DownloadHandle(priority: .low) }
        let tasks = (0..<3).map { index in
            Task {
                let request = DownloadRequest(url: "http://a.example/\(index)")
                return try await downloader.body(for: request, handle: handles[index]) { _ in
                    joined.note()
                }
            }
        }
        await joined.wait(for: 3)

        handles[1].priority = .high
        transport.answerStarts { _ in .body([1]) }
        downloader.isSuspended = false
        for task in tasks { _ = try await task.value }

        #expect(transport.starts.first?.url == "http://a.example/1")
    }

    // F24: the manager may raise the priority of a load before its download starts
    @Test func `a priority set before the download begins is the one it begins with`() async throws
    {
        let downloader = ImageDownloader(transport: transport)
        downloader.isSuspended = true
        let handle = DownloadHandle(priority: .low)
        handle.priority = .high
        let joined = Gathering()
        let first = Task {
            try await downloader.body(for: DownloadRequest(url: "http://a.example/normal")) { _ in
                joined.note()
            }
        }
        await joined.wait(for: 1)
        let second = Task {
            let request = DownloadRequest(url: "http://a.example/raised", priority: .low)
            return try await downloader.body(for: request, handle: handle) { _ in joined.note() }
        }
        await joined.wait(for: 2)

        transport.answerStarts { _ in .body([1]) }
        downloader.isSuspended = false
        _ = try await (first.value, second.value)

        #expect(transport.starts.map(\.url).first == "http://a.example/raised")
    }

    // No lock is held around a callback
    // F7, open point j
    @Test func `an event may call the downloader`() async throws {
        let downloader = ImageDownloader(transport: transport)
        transport.answerStarts { _ in .body([1]) }

        let body = try await downloader.body(for: DownloadRequest(url: url)) { _ in
            downloader.maximumConcurrentTransfers += 1
            _ = downloader.statistics
        }

        #expect(body.bytes == [1])
        #expect(downloader.maximumConcurrentTransfers > 6)
    }

    // D21
    @Test func `the width can be changed and read while transfers run`() async {
        let downloader = ImageDownloader(transport: transport)
        #expect(downloader.maximumConcurrentTransfers == 6)
        let tasks = (1...10).map { number in
            Task { try? await downloader.body(for: DownloadRequest(url: "http://a/\(number)")) }
        }
        await transport.waitForStarts(6)

        downloader.maximumConcurrentTransfers = 10
        await transport.waitForStarts(10)

        #expect(downloader.statistics.live == 10)
        downloader.cancelAll()
        for task in tasks { _ = await task.value }
    }
}
