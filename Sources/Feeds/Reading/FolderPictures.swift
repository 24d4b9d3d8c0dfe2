import Decoders
import Glibc
internal import ImageLoading
package import SystemSupport

/// The images among the files of a directory, detected by their names or, if necessary, by their
/// first bytes.
///
/// The methods block. Don't call them on the cooperative thread pool.
package struct FolderPictures {
    /// The names of the images that can be shown, in natural order, encoded by `FileText`.
    package private(set) var names: [String] = []
    /// The names of the subdirectories that a `FolderTree` reads, in the order of the directory.
    ///
    /// They are neither hidden nor system directories.
    package private(set) var folders: [String] = []
    /// The number of system directories, which are omitted.
    package private(set) var systemFolderCount = 0
    /// The number of images without a decoder, keyed by format, such as "GIF".
    private var unknown: [String: Int] = [:]
    private var otherCount = 0
    private var unseenCount = 0

    /// The maximum number of files to open, which takes 0.1 seconds.
    ///
    /// Further files are counted as not checked.
    private static let maximumLookCount = 5_000

    private var lookCount = 0

    /// Creates an empty instance for calling `take` with the names in several directories.
    package init() {}

    package init(of path: String, includesHidden: Bool = false) throws(FileFailure) {
        let all = try FolderNames.divided(of: path)
        let isShown = { Self.isShown($0, includesHidden: includesHidden) }
        names = take(all.files.filter(isShown), in: path)
        let shown = all.folders.filter(isShown)
        folders = shown.filter { !FolderTree.systemFolders.contains($0) }
        systemFolderCount = shown.count - folders.count
    }

    /// Returns whether a file with this name is considered.
    ///
    /// If `includesHidden` is false, names that start with a dot are not considered.
    package static func isShown(_ name: String, includesHidden: Bool) -> Bool {
        includesHidden || !name.hasPrefix(".")
    }

    /// Returns the names of the images in natural order and counts the other files.
    package mutating func take(_ names: [String], in path: String) -> [String] {
        NaturalOrder.sorted(names.filter { isPicture($0, in: path) })
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

    /// Returns whether the name alone identifies the file as an image, so it needn't be opened.
    package static func isNamedAsPicture(_ name: String) -> Bool {
        DecoderRegistry.standard.format(ofFileNamed: name) != nil
    }

    /// Returns whether the first bytes of a file identify it as an image that can be shown.
    package static func isPicture(fileAt path: String) -> Bool {
        start(of: path).map { DecoderRegistry.standard.format(of: $0) != nil } ?? false
    }

    /// Returns the first 16 KiB (`DecoderRegistry.prefixByteCount`) of a file, or the whole file if
    /// it is shorter.
    ///
    /// Returns nil for a directory, a device or anything else that is not a file, and an empty
    /// array for a file that cannot be read.
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
            // A socket can't be opened as a file.
            case .failure(let failure) where failure.code == ENXIO: return nil
            // An unreadable file may be an image, but it isn't shown.
            case .failure, .unexpectedSize: return []
            }
        }
    }

    /// A description of the omitted files, such as "3 GIF, 1 WebP", or nil if everything is shown.
    package var leftOut: String? {
        var parts = CountText.parts(unknown)
        if otherCount > 0 {
            parts.append(
                otherCount == 1 ? "1 that is not an image" : "\(otherCount) that are not images"
            )
        }
        if unseenCount > 0 { parts.append("\(unseenCount) that were not checked") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
