import Decoders
import GalleryCore
import Glibc
import ImageLoading

/// Which files of a folder are pictures: by their names where those say so, else by their first bytes.
///
/// Blocks; never on Swift's pool.
struct FolderPictures {
    /// Of those that can be shown, in natural order, as `FileText` has them.
    private(set) var names: [String] = []
    /// The pictures that no decoder knows, by what they are ("GIF").
    private var unknown: [String: Int] = [:]
    private var otherCount = 0
    private var unseenCount = 0

    /// So many files are opened, which takes a tenth of a second; what more there is counts as left
    /// out.
    private static let maximumLookCount = 5_000

    private var lookCount = 0

    /// Makes a list without pictures; `take` fills it.
    init() {}

    init(of path: String, includesHidden: Bool = false) throws(FileFailure) {
        let all = try FolderNames.of(path)
        names = take(all.filter { Self.isShown($0, includesHidden: includesHidden) }, in: path)
    }

    /// Whether a name in a folder is looked at; one that begins with a dot is hidden.
    static func isShown(_ name: String, includesHidden: Bool) -> Bool {
        includesHidden || !name.hasPrefix(".")
    }

    /// The pictures among the names in a folder, in natural order; counts the others.
    mutating func take(_ names: [String], in path: String) -> [String] {
        names.filter { isPicture($0, in: path) }.sorted(by: NaturalOrder.areInOrder)
    }

    private mutating func isPicture(_ name: String, in path: String) -> Bool {
        if Self.isNamedAsPicture(name) { return true }
        guard lookCount < Self.maximumLookCount else {
            unseenCount += 1
            return false
        }
        lookCount += 1
        guard let start = Self.start(of: path + "/" + name) else { return false }
        if DecoderRegistry.standard.format(of: start) != nil { return true }
        if let format = DecoderRegistry.pictureFormat(of: start) {
            unknown[format, default: 0] += 1
        } else {
            otherCount += 1
        }
        return false
    }

    /// Whether nobody needs to look into a file of this name.
    static func isNamedAsPicture(_ name: String) -> Bool {
        DecoderRegistry.standard.format(ofFileNamed: name) != nil
    }

    /// The first bytes of a file; nil if it is a folder, a device or the like.
    private static func start(of path: String) -> [UInt8]? {
        do throws(FileReading.Problem) {
            return try FileReading.withFile(at: path, followsLinks: true) {
                file,
                _ throws(FileReading.Problem) in
                try FileReading.read(file, count: DecoderRegistry.prefixByteCount)
            }
        } catch {
            switch error {
            case .notRegular: return nil
            // A socket has no file to open.
            case .failure(let failure) where failure.code == ENXIO: return nil
            // What can't be read may be a picture, and isn't shown.
            case .failure, .unexpectedSize: return []
            }
        }
    }

    /// What is left out: "3 GIF, 1 WebP, 2 that are no pictures"; nil if nothing is.
    var leftOut: String? {
        var parts = unknown.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.value) \($0.key)" }
        if otherCount > 0 {
            parts.append(
                otherCount == 1 ? "1 that is not an image" : "\(otherCount) that are not images"
            )
        }
        if unseenCount > 0 { parts.append("\(unseenCount) that were not checked") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
