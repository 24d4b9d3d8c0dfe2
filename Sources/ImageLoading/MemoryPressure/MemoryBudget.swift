internal import SystemSupport

/// The default memory limit for images: 10 % of the available memory, at most 256 MiB.
struct MemoryBudget: Hashable, Sendable {
    /// The physical memory in bytes; nil if unknown.
    var physicalByteCount: Int?
    /// The lowest `memory.max` of the process's control groups (cgroup v2) in bytes; nil if none of
    /// them has a limit.
    var groupByteLimit: Int?

    init(physicalByteCount: Int?, groupByteLimit: Int?) {
        self.physicalByteCount = physicalByteCount
        self.groupByteLimit = groupByteLimit
    }

    /// Reads the values of this machine from `/proc` and `/sys`; performs I/O.
    static func current() -> MemoryBudget {
        let limits = groupFolders().compactMap {
            KernelText.contents(of: $0 + "/memory.max").flatMap(groupLimit)
        }
        return MemoryBudget(
            physicalByteCount: KernelText.contents(of: "/proc/meminfo").flatMap(totalMemory),
            groupByteLimit: limits.min()
        )
    }

    /// The default limit for images in bytes.
    var byteLimit: Int {
        let most = 256 << 20
        let available = [physicalByteCount, groupByteLimit].compactMap { $0 }.min()
        return min(most, max(0, available ?? most * 10) / 10)
    }

    /// Returns the value of the line "MemTotal:  24683924 kB" of `/proc/meminfo`, in bytes.
    static func totalMemory(inMeminfo text: String) -> Int? {
        byteCount(of: "MemTotal:", inMeminfo: text)
    }

    /// Returns the value in bytes of the `/proc/meminfo` line that begins with `name`.
    static func byteCount(of name: String, inMeminfo text: String) -> Int? {
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        guard let fields = line?.split(separator: " "), fields.count > 1,
            let kibibytes = Int(fields[1])
        else { return nil }
        let (bytes, overflow) = kibibytes.multipliedReportingOverflow(by: 1024)
        return overflow || bytes <= 0 ? nil : bytes
    }

    /// Returns the path in the cgroup v2 line of `/proc/self/cgroup`, such as "0::/user.slice/x".
    static func groupPath(inCgroup text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix("0::/") }.map { String($0.dropFirst(3)) }
    }

    /// Parses the content of a `memory.max` file; returns the limit in bytes, or nil if there is
    /// none ("max").
    static func groupLimit(inMemoryMax text: String) -> Int? {
        let digits = text.prefix { !$0.isWhitespace }
        return Int(digits).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Returns the paths of a control group and all of its ancestors; "" is the root group.
    ///
    /// Any of them may have the lowest limit.
    static func ancestors(of path: String) -> [String] {
        let parts = path.split(separator: "/")
        return (0...parts.count).reversed().map { count in
            parts.prefix(count).map { "/" + $0 }.joined()
        }
    }

    /// Returns the directories of the process's control group and all of its ancestors; performs
    /// I/O.
    static func groupFolders() -> [String] {
        let group = KernelText.contents(of: "/proc/self/cgroup").flatMap(groupPath) ?? "/"
        return ancestors(of: group).map { "/sys/fs/cgroup" + $0 }
    }
}

/// Reads small files in `/proc` and `/sys`, which the kernel generates on each read.
///
/// It uses plain system calls, because the first file read through Foundation takes 0.2 ms, and the
/// program reads some of these files on every launch.
enum KernelText {
    /// The maximum number of bytes to read; all files read here are smaller.
    private static let maximumByteCount = 32 << 10

    /// Returns the content of a file, or nil if it cannot be read.
    ///
    /// A missing file is normal on systems without control groups or procfs. The call blocks while
    /// the kernel generates the content, about ten microseconds.
    static func contents(of path: String) -> String? {
        // These files report no size.
        let bytes = try? FileReading.withFile(at: path, followsLinks: true) {
            (file, _) throws(FileReading.Problem) in
            try FileReading.read(file, count: maximumByteCount)
        }
        return bytes.flatMap { String(validating: $0, as: UTF8.self) }
    }
}
