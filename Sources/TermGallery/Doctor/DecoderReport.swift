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
            + missing.map { "no \($0.format.displayName): install \($0.package) to see it" }
            + [isolation]
    }
}

extension IsolationReport {
    /// What stands between decoders and the rest, and what is missing of it.
    var line: String {
        if let problem { return "decoders: in the program itself: \(problem)" }
        let calls =
            filtersCalls ? "system calls filtered" : "NO filter of system calls (libseccomp2)"
        let files =
            landlock > 0 ? "files denied (Landlock \(landlock))" : "NO Landlock in the kernel"
        let memory = memoryByteCount.map { "at most \($0 >> 20) MiB" } ?? "NO limit of memory"
        let time = "\(duration / .seconds(1)) s for a picture"
        return
            "decoders: in processes of their own: \([calls, files, memory, time].joined(separator: ", "))"
    }
}
