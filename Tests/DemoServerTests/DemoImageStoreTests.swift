import Decoders
import NIOCore
import NIOPosix
import Testing

@testable import DemoServer

struct DemoImageStoreTests {
    @Test func `the store keeps at most its limit of bytes and renders the rest again`()
        async throws
    {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        let store = DemoImageStore(pool: pool, byteLimit: 0)
        let key = DemoImageStore.Key(image: DemoImage(number: 3, seed: 1), format: .jpeg)
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()

        let first = try await store.body(for: key, on: eventLoop).get()
        let second = try await store.body(for: key, on: eventLoop).get()

        #expect(first == second)
        #expect(store.kept == (0, 0))
        try await pool.shutdownGracefully()
    }

    @Test func `simultaneous callers get the same image`() async throws {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        let store = DemoImageStore(pool: pool, byteLimit: 1 << 30)
        let key = DemoImageStore.Key(image: DemoImage(number: 3, seed: 1), format: .jpeg)
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()

        let futures = (0..<4).map { _ in store.body(for: key, on: eventLoop) }
        let bodies = try await futures.asyncMap { try await $0.get() }

        #expect(Set(bodies).count == 1)
        #expect(store.kept == (bodies[0].count, 1))
        try await pool.shutdownGracefully()
    }
}

extension Array {
    fileprivate func asyncMap<Result>(
        _ transform: (Element) async throws -> Result
    ) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
