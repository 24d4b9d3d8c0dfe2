internal import CSandbox
public import Decoders
internal import Glibc
internal import Synchronization

/// Whether images are decoded in processes of their own, so that what a file does to a decoder it
/// does to nothing else.
public enum DecoderIsolation: String, Hashable, Sendable, CaseIterable {
    /// In helpers where they can be had, else in the process.
    case auto
    /// In helpers, with all that the kernel can take from them; without, nothing is decoded.
    case always
    /// In the process.
    case never
}

/// The line that a program which decodes in helpers has at the top of its `main`.
///
///     @main
///     struct Program {
///         static func main() {
///             IsolatedDecoding.runIfAsked()
///             …
///         }
///     }
///
/// A helper is the program once more. A process with threads can't safely go on in a copy of itself
/// (`fork`), and a program of its own would have to be installed, and found. Without the line no
/// helper is ever started: it would do what the program does.
public enum IsolatedDecoding {
    /// What a helper is started with, and what for.
    static let variable = "IMAGE_LOADING_DECODER"

    /// Whether the program has the line.
    private static let hasLine = Atomic(false)

    /// Decodes until the program ends, and does not return, in a helper; else returns at once.
    ///
    /// Hand in the same decoders as in `ImageManagerConfiguration.decoders`. Nothing may have begun
    /// that a helper should not do: no threads, no files, no windows.
    public static func runIfAsked(decoders: DecoderRegistry = .standard) {
        guard let purpose = getenv(variable).flatMap({ HelperPurpose(String(cString: $0)) }),
            csandbox_is_helper()
        else { return hasLine.store(true, ordering: .relaxed) }
        HelperLoop(decoders: decoders, purpose: purpose).run()
    }

    /// Whether the program can be started as a helper.
    static var isPossible: Bool { hasLine.load(ordering: .relaxed) }
}

/// What helpers of this program have given up, found by starting one.
package struct IsolationReport: Sendable {
    /// Why there are none; nil if there are.
    package var problem: String?
    /// Whether system calls are filtered.
    package var filtersCalls = false
    /// The version of Landlock's interface; 0 if the kernel has none.
    package var landlock = 0
    /// What a helper may use beyond its own program; nil without a limit.
    package var memoryByteCount: Int?
    /// Processor time for an image.
    package var duration = Duration.zero

    /// Whether this build can limit memory at all: with a sanitizer, which maps terabytes, it can't.
    package static var limitsMemory: Bool { csandbox_limits_memory() }

    /// Starts a helper as a manager of this configuration does, and ends it.
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

/// What a helper may use.
struct HelperLimits: Hashable, Sendable {
    /// For code that is there before the first image, and what a decoder does not count.
    private static let reserve = 64 << 20

    /// Beyond what the program needs to be there.
    let byteCount: Int
    /// Processor time of all images that one helper decodes.
    let seconds: Int

    init(_ configuration: ImageManagerConfiguration) {
        let parts = [
            configuration.limits.maximumByteCount, configuration.downloader.maximumByteCount,
            Self.reserve,
        ]
        byteCount = parts.reduce(0) { sum, part in
            min(sum + min(max(0, part), 1 << 46), 1 << 46)
        }
        // A helper is replaced when it has used a half.
        let perImage = configuration.limits.maximumDuration / .seconds(1)
        seconds = Int(min(max(perImage, 1), 1e6).rounded(.up)) * 4
    }

    fileprivate init(byteCount: Int, seconds: Int) {
        self.byteCount = byteCount
        self.seconds = seconds
    }
}

/// What a helper is for, as it is told by its environment.
struct HelperPurpose: Hashable, Sendable {
    let limits: HelperLimits
    /// The decoders it has beside those that load little (`ImageDecoder.helperGroup`).
    let group: String?

    init(limits: HelperLimits, group: String?) {
        self.limits = limits
        self.group = group
    }

    /// Reads `text`; nil if it is none.
    init?(_ text: String) {
        let parts = text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
        let numbers = parts.prefix(2).compactMap { Int($0) }
        guard parts.count == 3, numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else {
            return nil
        }
        limits = HelperLimits(byteCount: numbers[0], seconds: numbers[1])
        group = parts[2].isEmpty ? nil : String(parts[2])
    }

    /// For the environment.
    var text: String { "\(limits.byteCount),\(limits.seconds),\(group ?? "")" }
}

/// Where helpers come from.
struct HelperProgram: Hashable, Sendable {
    /// The program itself, whatever became of its file.
    static let own = HelperProgram(path: "/proc/self/exe")

    let path: String
    /// How long a helper may take until it is ready: machines can be very busy.
    var patience = Duration.seconds(10)

    /// Why no helper can be started; nil if it is worth trying.
    var obstacle: String? {
        guard self == .own, !IsolatedDecoding.isPossible else { return nil }
        return "the program's main does not call IsolatedDecoding.runIfAsked()"
    }
}
