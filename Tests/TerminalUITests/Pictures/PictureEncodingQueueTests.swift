import Decoders
import Glibc
import ImageLoading
import SystemSupport
import Testing

@testable import TerminalUI

@Suite struct PictureEncodingQueueTests {
    /// Encodes three pictures, and waits for them.
    private func encoded(
        inSharedMemory: Bool,
        pixelLimit: Int = .max
    ) async -> (PictureEncodingQueue, [PixelImage]) {
        let images = PictureFrames.frame().images.map(\.image)
        let (ready, continuation) = AsyncStream<Void>.makeStream()
        let queue = PictureEncodingQueue { continuation.yield() }
        queue.usesSharedMemory.withLock { $0 = inSharedMemory }
        queue.pixelLimit.withLock { $0 = pixelLimit }
        queue.want(images.map { ($0, .local) }, .kitty)
        var count = 0
        for await _ in ready {
            count += 1
            if count == images.count { break }
        }
        return (queue, images)
    }

    @Test func `requested images are encoded`() async throws {
        let (queue, images) = await encoded(inSharedMemory: false)

        for image in images {
            let picture = try #require(queue.picture(image, graphics: .kitty, budget: .local))
            guard case .encoded(let encoded) = picture else {
                Issue.record("shared memory was not requested")
                continue
            }
            #expect(encoded.byteCountOnLine <= GraphicsBudget.local.byteLimit)
        }
    }

    @Test func `an image above the limit is sent with fewer pixels`() async throws {
        let (queue, images) = await encoded(inSharedMemory: false, pixelLimit: 400)

        for image in images {
            let picture = try #require(queue.picture(image, graphics: .kitty, budget: .local))
            guard case .encoded(let encoded) = picture else {
                Issue.record("shared memory was not requested")
                continue
            }
            #expect(image.size.pixelCount > 400 && (300...400).contains(encoded.size.pixelCount))
        }
    }

    @Test func `an image in shared memory exists once, and is gone after it was read`() async throws
    {
        let (queue, images) = await encoded(inSharedMemory: true)
        let picture = try #require(queue.picture(images[0], graphics: .kitty, budget: .local))
        guard case .shared(let shared) = picture else {
            Issue.record("it is not in shared memory")
            return
        }
        let path = "/dev/shm" + shared.name
        #expect(FileSize.of(path) == shared.size.pixelCount * 4)

        queue.wereSent([images[0].fingerprint])
        #expect(queue.picture(images[0], graphics: .kitty, budget: .local) == nil)
        #expect(queue.picture(images[1], graphics: .kitty, budget: .local) != nil)
    }

    @Test func `shared memory is empty after the terminal was restored`() async throws {
        let (queue, images) = await encoded(inSharedMemory: true)
        let names = images.compactMap { image -> String? in
            guard case .shared(let shared)? = queue.picture(image, graphics: .kitty, budget: .local)
            else {
                return nil
            }
            return shared.name
        }
        #expect(names.count == 3)
        #expect(names.allSatisfy { FileSize.of("/dev/shm" + $0) != nil })
        queue.wereSent([images[0].fingerprint])

        queue.removeAll()

        #expect(names.allSatisfy { FileSize.of("/dev/shm" + $0) == nil })
    }
}

/// The size of a file in bytes.
private enum FileSize {
    /// Returns the size, or nil if the file does not exist.
    static func of(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
