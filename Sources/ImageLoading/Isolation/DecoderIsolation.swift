internal import CSandbox
public import Decoders
internal import Glibc
internal import Synchronization

/// Determines whether images are decoded in separate helper processes.
///
/// Helpers limit the damage that a malicious file can do.
public enum DecoderIsolation: String, Hashable, Sendable, CaseIterable {
    /// Images are decoded in helpers. If no helper is available, they are decoded in the program's
    /// own process.
    case auto
    /// Images are decoded only in helpers, with every restriction that the kernel supports. If this
    /// is not possible, no images are decoded.
    case always
    /// Images are decoded in the program's own process.
    case never
}

/// The entry point for a program that is started as a decoding helper.
///
/// A program that decodes in helpers must call `runIfAsked` at the start of its `main`:
///
///     @main
///     struct Program {
///         static func main() {
///             IsolatedDecoding.runIfAsked()
///             …
///         }
///     }
///
/// A helper is another instance of the program. A process with threads cannot safely continue in a
/// copy of itself (`fork`), and a separate program would have to be installed and located. If the
/// program does not call `runIfAsked`, no helper is started, because the new instance would run as
/// the normal program.
public enum IsolatedDecoding {
    /// The environment variable that marks a process as a helper and contains its `HelperPurpose`.
    static let variable = "IMAGE_LOADING_DECODER"

    private static let hasLine = Atomic(false)

    /// If this process is a helper, decodes images until the process ends; otherwise, returns
    /// immediately.
    ///
    /// Pass the same decoders as in `ImageManagerConfiguration.decoders`. Call this method before
    /// the program starts threads, opens files or creates windows, because a helper must not do any
    /// of these things.
    public static func runIfAsked(decoders: DecoderRegistry = .standard) {
        guard let purpose = getenv(variable).flatMap({ HelperPurpose(String(cString: $0)) }),
            csandbox_is_helper()
        else { return hasLine.store(true, ordering: .relaxed) }
        HelperLoop(decoders: decoders, purpose: purpose).run()
    }

    /// Whether the program can be started as a helper.
    static var isPossible: Bool { hasLine.load(ordering: .relaxed) }
}

/// The restrictions that apply to this program's helpers.
package struct IsolationReport: Sendable {
    /// The reason that no helper can be started; nil if a helper was started.
    package var problem: String?
    /// Whether the system calls of helpers are filtered.
    package var filtersCalls = false
    /// The version of the Landlock interface; 0 if the kernel does not support it.
    package var landlock = 0
    /// The memory limit of a helper in bytes, excluding the memory that its program occupies at
    /// startup; nil if there is no limit.
    package var memoryByteCount: Int?
    /// The processor time limit for one image.
    package var duration = Duration.zero

    /// Whether this build can limit the memory of helpers.
    ///
    /// A build with a sanitizer cannot, because the sanitizer maps terabytes of memory.
    package static var limitsMemory: Bool { csandbox_limits_memory() }

    /// Creates a report by starting a helper, as a manager with this configuration would.
    ///
    /// The helper is terminated afterward.
    package init(_ configuration: ImageManagerConfiguration) {
        let limits = HelperLimits(configuration)
        duration = configuration.limits.maximumDuration
        do throws(HelperAbsence) {
            let helper = try DecoderHelper(
                configuration.helperProgram,
                HelperPurpose(limits: limits, group: nil)
            )
            defer { helper.end() }
            filtersCalls = helper.greeting.has_filter
            landlock = Int(helper.greeting.landlock)
            if helper.greeting.has_memory_limit { memoryByteCount = limits.byteCount }
        } catch {
            problem = error.reason
        }
    }
}

/// The resource limits of a helper process.
struct HelperLimits: Hashable, Sendable {
    /// The number of bytes reserved for code that is loaded before the first image, and for memory
    /// that decoders allocate without counting it.
    private static let reserve = 64 << 20

    /// The memory limit in bytes, excluding the memory that the program occupies at startup.
    let byteCount: Int
    /// The maximum processor time for all images that one helper decodes, in seconds.
    let seconds: Int

    init(_ configuration: ImageManagerConfiguration) {
        let parts = [
            configuration.limits.maximumByteCount, configuration.downloader.maximumByteCount,
            Self.reserve,
        ]
        byteCount = parts.reduce(0) { sum, part in
            min(sum + min(max(0, part), 1 << 46), 1 << 46)
        }
        // A helper is replaced after it has used half of its time.
        let perImage = configuration.limits.maximumDuration / .seconds(1)
        seconds = Int(min(max(perImage, 1), 1e6).rounded(.up)) * 4
    }

    fileprivate init(byteCount: Int, seconds: Int) {
        self.byteCount = byteCount
        self.seconds = seconds
    }
}

/// The limits and the decoder group of a helper.
///
/// They are passed to the helper in an environment variable.
struct HelperPurpose: Hashable, Sendable {
    let limits: HelperLimits
    /// The group of decoders that the helper provides in addition to the lightweight decoders
    /// (`ImageDecoder.helperGroup`).
    let group: String?

    init(limits: HelperLimits, group: String?) {
        self.limits = limits
        self.group = group
    }

    /// Parses the value of the environment variable; returns nil if it is invalid.
    init?(_ text: String) {
        let parts = text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
        let numbers = parts.prefix(2).compactMap { Int($0) }
        guard parts.count == 3, numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else {
            return nil
        }
        limits = HelperLimits(byteCount: numbers[0], seconds: numbers[1])
        group = parts[2].isEmpty ? nil : String(parts[2])
    }

    /// The value of the environment variable `IsolatedDecoding.variable`.
    var text: String { "\(limits.byteCount),\(limits.seconds),\(group ?? "")" }
}

/// The program that is started as a helper.
struct HelperProgram: Hashable, Sendable {
    /// The running program, even if its file has been replaced or deleted.
    static let own = HelperProgram(path: "/proc/self/exe")

    let path: String
    /// How long a helper may take to become ready.
    ///
    /// It is long because machines can be very busy.
    var patience = Duration.seconds(10)

    /// The reason that no helper can be started; nil if none is known in advance.
    var obstacle: String? {
        guard self == .own, !IsolatedDecoding.isPossible else { return nil }
        return "the program's main does not call IsolatedDecoding.runIfAsked()"
    }
}
