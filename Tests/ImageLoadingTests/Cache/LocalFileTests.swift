import Foundation
import Testing

@testable import ImageLoading

struct LocalFileTests {
    let bench: CacheBench
    private let path: String
    private let files = LocalFiles()

    init() throws {
        bench = try CacheBench()
        path = bench.root + "/picture with ü.png"
    }

    private func reason(path: String, limit: Int = 1_000) async throws -> ImageLoadingError {
        let error = await #expect(throws: ImageLoadingError.self) {
            _ = try await files.bytes(atPath: path, maximumByteCount: limit, priority: .high)
        }
        return try #require(error)
    }

    @Test func `a file is read whole, through a symbolic link too`() async throws {
        try Data(body(1_000)).write(to: URL(fileURLWithPath: path))
        let link = bench.root + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)

        for name in [path, link] {
            let bytes = try await files.bytes(
                atPath: name,
                maximumByteCount: 1_000,
                priority: .high
            )
            #expect(bytes == body(1_000))
        }
    }

    @Test func `a missing file is reported`() async throws {
        let error = try await reason(path: bench.root + "/none")

        #expect(error.stage == .cache)
        #expect(error.kind == .permanent)
        #expect(error.reason == .unreadableFile("No such file or directory"))
    }

    @Test func `a file above the limit is permanently refused and not read`() async throws {
        try Data(body(1_001)).write(to: URL(fileURLWithPath: path))

        let error = try await reason(path: path, limit: 1_000)

        #expect(error.kind == .permanent)
        #expect(error.reason == .tooLarge(limit: 1_000))
    }

    @Test func `an empty file is refused`() async throws {
        try Data().write(to: URL(fileURLWithPath: path))

        #expect(try await reason(path: path).reason == .emptyBody)
    }

    @Test func `a folder, a device and a pipe are refused without waiting`() async throws {
        let pipe = bench.root + "/pipe"
        mkfifo(pipe, 0o600)

        for path in [bench.root, "/dev/zero", pipe] {
            #expect(try await reason(path: path).reason == .unreadableFile("not a regular file"))
        }
    }

    @Test func `a read of a cancelled task ends as cancelled`() async throws {
        let (files, path) = (files, path)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await files.bytes(
                atPath: path,
                maximumByteCount: 1_000,
                priority: .high
            )
        }

        task.cancel()

        await #expect(throws: ImageLoadingError.cancelled) { try await task.value }
    }
}
