internal import Foundation

/// The number of times each thread of this process has gone to sleep, by the names of the threads.
///
/// A thread that hands work over wakes another thread, which sleeps again when its part is done. In
/// a process that does one thing at a time, voluntary context switches therefore count the hops
/// from thread to thread. A hop to a thread that is not asleep yet is not counted.
public struct WakeUps: Sendable {
    private let counts: [String: Int]

    /// Reads `/proc/self/task`.
    ///
    /// The threads of a pool, such as "decode-0" and "decode-1", count as one.
    public static func now() -> WakeUps {
        let folder = "/proc/self/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var counts: [String: Int] = [:]
        for thread in threads {
            let status = text("\(folder)/\(thread)/status")
            let count = status.split(separator: "\n")
                .first { $0.hasPrefix("voluntary_ctxt_switches:") }
                .flatMap { Int($0.drop { !$0.isNumber }) }
            let name = thread == "\(getpid())" ? "caller" : name(text("\(folder)/\(thread)/comm"))
            counts[name, default: 0] += count ?? 0
        }
        return WakeUps(counts: counts)
    }

    /// Returns the number of wake-ups since `earlier` per load, without threads that belong to the
    /// measurement.
    public func each(since earlier: WakeUps, of loads: Int) -> [(name: String, count: Double)] {
        counts.keys.filter { !$0.hasPrefix("server") }.sorted()
            .map { name in
                let count = counts[name, default: 0] - earlier.counts[name, default: 0]
                return (name, Double(count) / Double(loads))
            }
            .filter { $0.count >= 0.05 }
    }

    private static func name(_ comm: String) -> String {
        let name = comm.split(separator: "\n").first ?? ""
        guard let dash = name.lastIndex(of: "-"), Int(name[name.index(after: dash)...]) != nil
        else { return String(name) }
        return String(name[..<dash])
    }

    private static func text(_ path: String) -> String {
        // A thread may have ended meanwhile.
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
