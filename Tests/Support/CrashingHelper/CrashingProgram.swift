import Decoders
import Glibc
import ImageLoading
import SystemSupport

/// A program that uses the library as others do, with a decoder that crashes.
///
/// Each argument is decoded, several at once if they are joined by "+", and printed with what
/// became of it; `count` prints the open descriptors that helpers have, and the children, instead.
@main
struct CrashingProgram {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        var decoders = DecoderRegistry.standard
        decoders.register(CrashingDecoder())
        if !arguments.contains("--without-line") {
            IsolatedDecoding.runIfAsked(decoders: decoders)
        }
        // Helpers don't know of this one.
        decoders.register(CrashingDecoder(magic: "OTHER "))
        if arguments.contains("--ignore-children") { signal(SIGCHLD, SIG_IGN) }
        var configuration = ImageManagerConfiguration()
        configuration.decoders = decoders
        configuration.disk = nil
        configuration.decodeThreadCount = 2
        configuration.limits = DecodingLimits(maximumByteCount: 64 << 20)
        configuration.limits.maximumDuration = .seconds(1)
        configuration.isolation = isolation(arguments)
        let manager = ImageManager(configuration: configuration)
        for argument in arguments where !argument.hasPrefix("--") {
            if argument == "count" {
                print("count: \(helperDescriptorCount()) \(childCount())")
                continue
            }
            let names = argument.split(separator: "+").map(String.init)
            await withTaskGroup(of: (Int, String).self) { group in
                for (index, name) in names.enumerated() {
                    group.addTask { (index, await result(of: name, manager)) }
                }
                var results = names
                for await (index, text) in group { results[index] = text }
                for (name, text) in zip(names, results) { print("\(name): \(text)") }
            }
        }
    }

    private static func isolation(_ arguments: ArraySlice<String>) -> DecoderIsolation {
        for isolation in DecoderIsolation.allCases where arguments.contains("--\(isolation)") {
            return isolation
        }
        return .always
    }

    private static func result(of name: String, _ manager: ImageManager) async -> String {
        let file = name.hasPrefix("other-") ? "OTHER%20\(name.dropFirst(6))" : "CRASH%20\(name)"
        let request = ImageRequest(
            url: "data:application/octet-stream,\(file)",
            options: [.retryFailed, .fromLoaderOnly]
        )
        do {
            let image = try await manager.response(for: request).image
            return "\(image.pixels.size)"
        } catch {
            return "\(error)"
        }
    }

    /// The sockets and the memory without a name: threads that start later open other files.
    private static func helperDescriptorCount() -> Int {
        names(in: "/proc/self/fd").count { name in
            var target = [UInt8](repeating: 0, count: 256)
            let count = readlink("/proc/self/fd/\(name)", &target, target.count)
            let text = String(decoding: target.prefix(max(0, count)), as: UTF8.self)
            return text.hasPrefix("socket:") || text.hasPrefix("/memfd:")
        }
    }

    private static func childCount() -> Int {
        names(in: "/proc/self/task").reduce(0) { sum, thread in
            guard let file = fopen("/proc/self/task/\(thread)/children", "re") else { return sum }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = fread(&bytes, 1, bytes.count, file)
            return sum + bytes.prefix(count).count { $0 == UInt8(ascii: " ") }
        }
    }

    private static func names(in folder: String) -> [String] {
        (try? FolderNames.of(folder)) ?? []
    }
}
