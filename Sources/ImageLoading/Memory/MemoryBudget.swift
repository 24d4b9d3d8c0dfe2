/// How much memory images may take unless the program says otherwise: 10 % of what it can
/// have, at most 256 MiB.
struct MemoryBudget: Hashable, Sendable {
    /// Bytes of RAM; nil if unknown.
    var physicalByteCount: Int?
    /// The tightest `memory.max` of the process's control group (cgroup v2); nil without one.
    var groupByteLimit: Int?

    /// Makes a budget of known figures.
    init(physicalByteCount: Int?, groupByteLimit: Int?) {
        self.physicalByteCount = physicalByteCount
        self.groupByteLimit = groupByteLimit
    }

    /// This machine's figures, read from `/proc` and `/sys`; does I/O.
    static func current() -> MemoryBudget {
        let limits = groupFolders().compactMap {
            KernelText.contents(of: $0 + "/memory.max").flatMap(groupLimit)
        }
        return MemoryBudget(
            physicalByteCount: KernelText.contents(of: "/proc/meminfo").flatMap(totalMemory),
            groupByteLimit: limits.min()
        )
    }

    /// The default budget in bytes.
    var byteLimit: Int {
        let most = 256 << 20
        let available = [physicalByteCount, groupByteLimit].compactMap { $0 }.min()
        return min(most, max(0, available ?? most * 10) / 10)
    }

    /// "MemTotal:  24683924 kB" of `/proc/meminfo`, in bytes.
    static func totalMemory(inMeminfo text: String) -> Int? {
        byteCount(of: "MemTotal:", inMeminfo: text)
    }

    /// A line of `/proc/meminfo`, in bytes.
    static func byteCount(of name: String, inMeminfo text: String) -> Int? {
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        guard let fields = line?.split(separator: " "), fields.count > 1,
            let kibibytes = Int(fields[1])
        else { return nil }
        let (bytes, overflow) = kibibytes.multipliedReportingOverflow(by: 1024)
        return overflow || bytes <= 0 ? nil : bytes
    }

    /// The version 2 line of `/proc/self/cgroup`, "0::/user.slice/x".
    static func groupPath(inCgroup text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix("0::/") }.map { String($0.dropFirst(3)) }
    }

    /// A number of bytes; nil for "max".
    static func groupLimit(inMemoryMax text: String) -> Int? {
        let digits = text.prefix { !$0.isWhitespace }
        return Int(digits).flatMap { $0 > 0 ? $0 : nil }
    }

    /// The group and all above it, each of which may hold the tightest limit; "" is the root.
    static func ancestors(of path: String) -> [String] {
        let parts = path.split(separator: "/")
        return (0...parts.count).reversed().map { count in
            parts.prefix(count).map { "/" + $0 }.joined()
        }
    }

    /// The folders of the process's control group and of all above it; does I/O.
    static func groupFolders() -> [String] {
        let group = KernelText.contents(of: "/proc/self/cgroup").flatMap(groupPath) ?? "/"
        return ancestors(of: group).map { "/sys/fs/cgroup" + $0 }
    }
}

/// Small files that the kernel makes as they are read, below `/proc` and `/sys`.
///
/// By plain calls: the first file read through Foundation costs 0.2 ms, and every start reads some.
enum KernelText {
    /// More than any of those that are read here has.
    private static let maximumByteCount = 32 << 10

    /// What a file says; nil without it, which is normal: no control groups, no procfs.
    ///
    /// Blocks as long as the kernel takes to make it, some ten microseconds.
    static func contents(of path: String) -> String? {
        // It has no size that could be asked for.
        let bytes = try? FileReading.withFile(at: path, followsLinks: true) {
            (file, _) throws(FileReading.Problem) in
            try FileReading.read(file, count: maximumByteCount)
        }
        return bytes.flatMap { String(validating: $0, as: UTF8.self) }
    }
}
