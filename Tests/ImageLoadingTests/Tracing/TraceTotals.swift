import Foundation

@testable import ImageLoading

/// The sums over the lines of a trace.
struct TraceTotals: Equatable {
    /// Transfers that began.
    var started = 0
    /// Transfers that ended: their body was kept, or they were cancelled or failed.
    var ended = 0
    /// Body bytes that servers announced.
    var announced = 0
    /// Body bytes that came.
    var received = 0
    /// Body bytes that were announced and need not come.
    var saved = 0
    /// Loads that ended, by the event's name.
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

    /// Adds a trace up; throws if a line is no JSON object.
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
