import ImageLoadingTesting

@testable import ImageLoading

/// One URL, its server, and a manager whose disk cache may contain the URL's body.
struct CachedOrigin {
    let bench: CacheBench
    let harness: ManagerHarness
    let url = "http://a.example/1.png"
    /// The body that `fill` stores in the caches.
    let old = PatternDecoder.bytes(width: 2, height: 2)

    init() throws {
        bench = try CacheBench()
        harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
    }

    /// Sets the response that the server sends from now on.
    func answer(_ bytes: [UInt8], status: Int = 200, _ headers: [String: String] = [:]) {
        harness.transport.answerStarts { _ in
            let head = TransferHead(
                status: status,
                expectedByteCount: bytes.count,
                headers: headers
            )
            return ScriptedAnswer(events: [.head(head), .chunk(bytes), .finished(nil)])
        }
    }

    /// Loads `old` with these header fields, and waits until it is on disk.
    func fill(_ headers: [String: String]) async throws {
        answer(old, headers)
        _ = try await harness.load(url).result().get()
        await harness.manager.flush()
    }
}
