// The cost of a load that no memory cache answers: its duration, and the number of threads woken on
// the way. Loads run one at a time, so that nothing overlaps, and each URL is loaded once.

import Decoders
import Dispatch
import Foundation
import ImageLoading
import Measuring

private let loadCount = 400
private let source = PixelSize(width: 640, height: 480)
private let target = PixelSize(width: 80, height: 60)

private struct Figures {
    let times: Samples
    let wakeUps: [(name: String, count: Double)]
}

private func requests(_ server: OneBodyServer) -> [ImageRequest] {
    (0..<loadCount).map { number in
        let url = "http://127.0.0.1:\(server.port)/feed/large-\(number).jpg"
        return ImageRequest(url: url, targetSize: target)
    }
}

/// Loads an image, waits for it and returns its source.
private func load(_ request: ImageRequest, with manager: ImageManager) -> ImageSource? {
    let end = DispatchSemaphore(value: 0)
    let source = Locked<ImageSource?>(nil)
    manager.load(request) { event in
        guard case .finished(let result) = event else { return }
        source.withLock { $0 = try? result.get().source }
        end.signal()
    }
    end.wait()
    return source.withLock { $0 }
}

private func measure(
    _ requests: [ImageRequest],
    from expected: ImageSource,
    _ manager: ImageManager
) -> Figures {
    let clock = ContinuousClock()
    // The first loads start threads and open connections.
    for request in requests.prefix(20) { _ = load(request, with: manager) }
    let before = WakeUps.now()
    let times = requests.dropFirst(20).map { request in
        clock.measure {
            let source = load(request, with: manager)
            precondition(source == expected, "\(request.url) came from \(source as Any)")
        }
    }
    let wakeUps = WakeUps.now().each(since: before, of: times.count)
    return Figures(times: Samples(times), wakeUps: wakeUps)
}

private func manager(disk folder: String?) -> ImageManager {
    var configuration = ImageManagerConfiguration()
    configuration.disk = folder.map { DiskCacheConfiguration(directory: $0) }
    return ImageManager(configuration: configuration)
}

private func wait(_ work: @escaping @Sendable () async -> Void) {
    let end = DispatchSemaphore(value: 0)
    Task {
        await work()
        end.signal()
    }
    end.wait()
}

private func report(_ title: String, _ figures: Figures) {
    print("\n\(title)")
    let times = figures.times
    print("  median \(times.median.text), 95 % \(times.percentile95.text)")
    let hops = figures.wakeUps.map(\.count).reduce(0, +)
    print("  wake-ups for each load: \((hops * 10).rounded() / 10), of which")
    for (name, count) in figures.wakeUps {
        print("    \(name) \((count * 10).rounded() / 10)")
    }
}

private let body = try JPEGEncoder.encode(TestPicture.pixels(source), quality: 85)
guard let server = OneBodyServer(body: body, type: "image/jpeg") else {
    fatalError("can't listen on loopback")
}
private let folder = NSTemporaryDirectory() + "cold-load-\(getpid())"
print("\(loadCount - 20) loads, one at a time")
print("JPEG of \(source), \(body.count) bytes, decoded to \(target)")

report(
    "from loopback, nothing kept on disk",
    measure(requests(server), from: .network, manager(disk: nil))
)
private let filling = manager(disk: folder)
report("from loopback, kept on disk", measure(requests(server), from: .network, filling))
wait { await filling.flush() }
report("from disk", measure(requests(server), from: .disk, manager(disk: folder)))
try? FileManager.default.removeItem(atPath: folder)
