// A scroll over 1,000 images at 50 per second, with rests, over a slow server: how soon the user
// sees images, and the costs, with three policies and the same movements.

import DemoServer
import ImageLoading

private let count = 1000
private let steps = Trace.steps(
    rows: (count - ScrollRun.screen) / ScrollRun.columns,
    rowMilliseconds: 120
)

private func percentile(_ percent: Int, of values: [Int]) -> Int {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return sorted[min(sorted.count - 1, sorted.count * percent / 100)]
}

private func urls(of server: DemoServer) -> [String] {
    server.feedText.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
        line.split(separator: " ").first.map { path in
            path.hasPrefix("http") ? String(path) : "http://127.0.0.1:\(server.port)/\(path)"
        }
    }
}

private func measure(_ policy: Policy) throws {
    let server = try DemoServer.start(
        DemoConfiguration(count: count, latency: .milliseconds(300), bandwidth: 200 << 10)
    )
    defer { server.stop() }
    let run = ScrollRun(policy, urls: urls(of: server))
    run.run(steps)
    let seen = server.counters
    // A request cancelled before its head announced nothing, so only a run with few cancellations
    // gives a good estimate.
    if seen.aborted * 10 < seen.requests {
        print("\nall pictures: about \(seen.bytesAnnounced / seen.requests * count / 1000) kB")
    }
    print("\n\(policy.rawValue)")
    print(
        "  first picture after coming to rest: median \(percentile(50, of: run.firsts)) ms, "
            + "95 % \(percentile(95, of: run.firsts)) ms (\(run.firsts.count) rests)"
    )
    print(
        "  a cell's picture after it became visible, at rests: median "
            + "\(percentile(50, of: run.waits)) ms, 95 % \(percentile(95, of: run.waits)) ms"
    )
    print("  cells seen with a picture: \(run.seenCount)")
    print(
        "  body bytes received: \(run.statistics.bytesReceived / 1000) kB; "
            + "requests \(seen.requests), aborted \(seen.aborted), "
            + "connections \(seen.connections), at once \(seen.maximumLive)"
    )
}

print("1,000 cells, 50 a second, 24 on the screen; server: 300 ms latency, 200 KiB/s a connection")
for policy in Policy.allCases { try measure(policy) }
