import Decoders
import ImageLoading

/// What `doctor` says of decoders: which formats there are, and what stands between them and the rest.
struct DecoderReport {
    /// What can be shown.
    let formats: [ImageFormat]
    /// What could be, were its library installed.
    let missing: [(format: ImageFormat, package: String)]
    let isolation: String

    /// Asks the machine, which loads the libraries that there are.
    init(_ registry: DecoderRegistry = .standard) {
        let missing = registry.missingLibraries
        // Those that nearly every picture is of come last in the registry, where they are asked first.
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
    /// What stands between decoders and the rest, and what is missing of it.
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
