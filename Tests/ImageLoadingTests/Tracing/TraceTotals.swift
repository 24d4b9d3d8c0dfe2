import Foundation

@testable import ImageLoading

/// The sums over the lines of a trace.
struct TraceTotals: Equatable {
    /// The number of transfers that started.
    var started = 0
    /// The number of transfers that ended: their body was kept, or they were cancelled or failed.
    var ended = 0
    /// The number of body bytes that servers announced.
    var announced = 0
    /// The number of body bytes that were received.
    var received = 0
    /// The number of announced body bytes that were not needed.
    var saved = 0
    /// The number of loads that ended, by the name of the event.
    var loads: [String: Int] = [:]

    private struct Line: Decodable {
        let event: String
        var url: String?
        var expected: Int?
        var received: Int?
        var saved: Int?
        var source: String?
        var stage: String?
    }

    private struct Transfer {
        var received = 0
    }

    init() {}

    /// Adds up the lines of a trace; throws if a line is not a JSON object.
    init(_ lines: [Substring]) throws {
        var running: [String: Transfer] = [:]
        for text in lines {
            let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
            take(line, &running)
        }
    }

    private mutating func take(_ line: Line, _ running: inout [String: Transfer]) {
        let url = line.url ?? ""
        switch line.event {
        case "started":
            started += 1
            running[url] = Transfer()
        case "first_byte": announced += line.expected ?? 0
        case "progress": running[url]?.received = line.received ?? 0
        case "cancelled":
            saved += line.saved ?? 0
            end(url, &running)
        case "stored" where line.source == "disk": end(url, &running)
        case "retried": end(url, &running)
        case "failed":
            loads["failed", default: 0] += 1
            if line.stage == "download" { end(url, &running) }
        case "succeeded": loads["succeeded", default: 0] += 1
        default: return
        }
    }

    private mutating func end(_ url: String, _ running: inout [String: Transfer]) {
        guard let transfer = running.removeValue(forKey: url) else { return }
        ended += 1
        received += transfer.received
    }
}
