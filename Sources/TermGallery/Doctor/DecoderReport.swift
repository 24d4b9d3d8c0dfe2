import Decoders
import ImageLoading

/// The decoder section of `doctor`: the supported formats and the isolation of the decoders.
struct DecoderReport {
    /// The formats that can be displayed.
    let formats: [ImageFormat]
    /// The formats that could be displayed if their libraries were installed.
    let missing: [(format: ImageFormat, package: String)]
    let isolation: String

    /// Creates a report for this machine.
    ///
    /// This initializer loads all installed libraries.
    init(_ registry: DecoderRegistry = .standard) {
        let missing = registry.missingLibraries
        // The registry tries the most common formats first and stores them last, so the order is
        // reversed.
        formats = registry.formats.reversed().filter { format in
            !missing.contains { $0.format == format }
        }
        self.missing = missing
        isolation = IsolationReport(ImageManagerConfiguration()).line
    }

    var lines: [String] {
        ["formats: \(formats.map(\.displayName).joined(separator: ", "))"]
            + missing.map { "no \($0.format.displayName): install \($0.package)" }
            + [isolation]
    }
}

extension IsolationReport {
    /// A line that lists the active and the missing protections of the decoders.
    var line: String {
        if let problem { return "decoders: in this process: \(problem)" }
        let calls =
            filtersCalls
            ? "system calls filtered" : "NO filtering of system calls (install libseccomp2)"
        let files =
            landlock > 0 ? "file access denied (Landlock \(landlock))" : "NO Landlock in the kernel"
        let memory = memoryByteCount.map { "at most \($0 >> 20) MiB" } ?? "NO memory limit"
        let time = "\(duration / .seconds(1)) s per image"
        let limits = [calls, files, memory, time].joined(separator: ", ")
        return "decoders: in separate processes: \(limits)"
    }
}
