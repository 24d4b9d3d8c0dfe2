import Foundation
import ImageLoading
import Testing

/// What a manager takes from the system, it gives back.
struct ReleaseTests {
    /// In a process of its own, where no other test starts threads or opens files.
    @Test func `fifty managers that were used leave no thread and no descriptor behind`() async {
        await #expect(processExitsWith: .success) {
            let server = LoopbackServer(["/1.png": LoopbackServer.Step.answer([1, 2, 3])])
            let root = NSTemporaryDirectory() + "release-\(getpid())"
            defer { try? FileManager.default.removeItem(atPath: root) }
            await useManager(directory: root, url: server.url("/1.png"))
            let (threads, files) = (count("task"), count("fd"))

            for _ in 0..<50 { await useManager(directory: root, url: server.url("/1.png")) }

            // Threads are not joined: they end soon after they were told to.
            for _ in 0..<100_000 where count("task") > threads || count("fd") > files {
                await Task.yield()
            }
            #expect(count("task") <= threads)
            #expect(count("fd") <= files)
        }
    }
}

/// One load of a picture that is none, one store, one look-up, one clearing.
private func useManager(directory: String, url: String) async {
    var configuration = ImageManagerConfiguration()
    configuration.disk = DiskCacheConfiguration(directory: directory)
    let manager = ImageManager(configuration: configuration)
    _ = try? await manager.response(for: ImageRequest(url: url))
    await manager.clearDisk()
    await manager.flush()
}

/// Entries of a folder of this process in procfs.
private func count(_ folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? 0
}
