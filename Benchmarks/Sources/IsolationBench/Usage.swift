import Glibc
import Measuring

/// The processor time of this process and its helpers.
struct Usage {
    let milliseconds: Double

    static func now() -> Usage {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        var sum = Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
        for helper in helpers {
            var clock = clockid_t()
            guard clock_getcpuclockid(helper, &clock) == 0, clock_gettime(clock, &time) == 0 else {
                continue
            }
            sum += Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
        }
        return Usage(milliseconds: sum)
    }

    /// Returns the proportional and the resident memory size of each helper.
    static func helperMemory() -> String {
        helpers.map { helper in
            let lines = text(of: "/proc/\(helper)/smaps_rollup").split(separator: "\n")
            return lines.filter { $0.hasPrefix("Pss:") || $0.hasPrefix("Rss:") }
                .map { $0.split(separator: " ").joined(separator: " ") }
                .joined(separator: ", ")
        }.joined(separator: "; ")
    }

    private static var helpers: [pid_t] {
        Folder.names(in: "/proc/self/task").flatMap { thread in
            text(of: "/proc/self/task/\(thread)/children").split(separator: " ")
                .compactMap { pid_t($0) }
        }
    }

    private static func text(of path: String) -> String {
        guard let stream = fopen(path, "re") else { return "" }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = fread(&bytes, 1, bytes.count, stream)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

/// Returns the absolute path.
func absolutePath(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
}
