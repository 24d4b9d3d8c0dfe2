import Foundation
import Testing

@testable import ImageLoading

/// A manager releases all resources of the system.
struct ReleaseTests {
    /// Runs in a separate process, where no other test starts threads or opens files.
    @Test func `fifty used managers leave no thread and no descriptor`() async {
        await #expect(processExitsWith: .success) {
            let server = LoopbackServer(["/1.png": LoopbackServer.Step.answer([1, 2, 3])])
            let root = NSTemporaryDirectory() + "release-\(getpid())"
            defer { try? FileManager.default.removeItem(atPath: root) }
            // The first manager creates what the process keeps: Swift's thread pool, its files, and
            // libcurl's state.
            await useManager(directory: root, url: server.url("/1.png")) {
                #expect(managerThreads().contains("transport"))
            }
            await yields { managerThreads().isEmpty }
            let files = openFiles()

            for _ in 0..<50 { await useManager(directory: root, url: server.url("/1.png")) }

            // Threads are not joined: they end soon after they were told to.
            await yields { managerThreads().isEmpty && openFiles().count <= files.count }
            #expect(managerThreads() == [])
            let left = openFiles()
            #expect(left.count <= files.count, "\(left) instead of \(files)")
        }
    }
}

/// Performs one load of an invalid image, one store, one look-up, and one clear.
private func useManager(
    directory: String,
    url: String,
    whileItLives: () -> Void = {}
) async {
    var configuration = ImageManagerConfiguration()
    configuration.disk = DiskCacheConfiguration(directory: directory)
    let manager = ImageManager(configuration: configuration)
    _ = try? await manager.response(for: ImageRequest(url: url))
    await manager.clearDisk()
    await manager.flush()
    whileItLives()
    withExtendedLifetime(manager) {}
}

/// Lets others run until a condition holds, or for a very long time.
private func yields(until isMet: () -> Bool) async {
    var turns = 0
    while turns < 100_000, !isMet() {
        await Task.yield()
        turns += 1
    }
}

/// Returns the names of the threads that managers started.
///
/// The main thread, Swift's pool with its threads, and the two threads that a process keeps after
/// their first use are not included, because they do not belong to a manager.
private func managerThreads() -> [String] {
    // A thread without its own name has the name of the process, like the threads of the
    // sanitizers.
    let kept = ["timer", "steps-0", threadName("\(getpid())")]
    return entries("task").compactMap(threadName).filter { name in
        !name.contains("qos") && !kept.contains(name)
    }
}

/// Returns the name of a thread.
///
/// The name is not read with Foundation, which leaks its buffer if a thread ends between opening
/// and reading.
private func threadName(_ id: String) -> String? {
    KernelText.contents(of: "/proc/self/task/\(id)/comm")?.trimmingCharacters(in: .newlines)
}

/// Returns the open files of this process.
private func openFiles() -> [String] {
    entries("fd").map { number in
        let path = "/proc/self/fd/\(number)"
        return (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? "closed"
    }
}

/// Returns the entries of a directory of this process in procfs.
private func entries(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)")) ?? []
}
