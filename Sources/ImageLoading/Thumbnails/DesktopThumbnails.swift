internal import Glibc

/// How the thumbnails shared by desktop programs are used: not at all, read-only, or read and
/// written.
///
/// They are stored in `$XDG_CACHE_HOME/thumbnails`, as specified by the freedesktop.org Thumbnail
/// Managing Standard.
public enum DesktopThumbnailUse: Hashable, Sendable {
    /// Thumbnails are neither read nor written.
    case none
    /// Thumbnails of local images are read.
    ///
    /// A thumbnail is shown instead of its image if `LoadingOptions.acceptThumbnail` is set.
    case read
    /// Thumbnails are read, and missing thumbnails are created in the background.
    case readAndWrite
}

/// The name of a desktop thumbnail and the URI of the file it was made from.
///
/// This type performs no I/O.
///
///     thumbnails/normal/c6ee772d9e49320e97ec29a7eb5b1697.png      up to 128 by 128 pixels
///     thumbnails/large/…, x-large/…, xx-large/…                   256, 512, 1024
///     thumbnails/fail/…                                           files with failed thumbnails
struct DesktopThumbnailName: Hashable, Sendable {
    /// The available sizes, in ascending order.
    enum Size: Int, CaseIterable, Sendable {
        case normal = 128
        case large = 256
        case extraLarge = 512
        case doubleExtraLarge = 1024

        var folder: String {
            switch self {
            case .normal: "normal"
            case .large: "large"
            case .extraLarge: "x-large"
            case .doubleExtraLarge: "xx-large"
            }
        }

        var box: PixelSize { PixelSize(width: rawValue, height: rawValue) }

        /// Returns the smallest size that covers `box`, or nil if the box is too large.
        static func least(covering box: PixelSize) -> Size? {
            allCases.first { $0.rawValue >= max(box.width, box.height) }
        }
    }

    /// The file's URI in the spelling that all desktop programs use.
    let uri: String

    /// Creates the name of a file's thumbnail from the bytes of the file's path.
    ///
    /// Returns nil if the path is not absolute or contains a NUL byte.
    init?(path: [UInt8]) {
        guard path.first == UInt8(ascii: "/"), !path.contains(0) else { return nil }
        uri = "file://" + Self.escaped(Self.canonical(path))
    }

    /// The name of the thumbnail file; it is the same for all sizes, which have separate
    /// directories.
    var fileName: String { MessageDigest.md5(uri).hexadecimal + ".png" }

    /// Returns the path without empty segments, `.` segments, and `..` segments.
    ///
    /// A `..` segment also removes the segment before it.
    private static func canonical(_ path: [UInt8]) -> [UInt8] {
        var steps: [ArraySlice<UInt8>] = []
        for step in path.split(separator: UInt8(ascii: "/")) {
            switch Array(step) {
            case Array(".".utf8): break
            case Array("..".utf8): _ = steps.popLast()
            default: steps.append(step)
            }
        }
        return [UInt8(ascii: "/")] + steps.joined(separator: [UInt8(ascii: "/")])
    }

    /// Encodes a path as GLib's `g_filename_to_uri` does.
    ///
    /// File managers name thumbnails after these URIs. Letters, digits and the symbols listed below
    /// stay unchanged. All other bytes become uppercase hexadecimal escapes.
    private static func escaped(_ path: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in path {
            if ASCII.isAlphanumeric(byte) || "-_.!~*'()/&=:@+$,".utf8.contains(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// The data in the text chunks of a desktop thumbnail's PNG file.
///
/// This type performs no I/O. The PNG may have been written by any program.
struct DesktopThumbnailFacts: Hashable, Sendable {
    var uri: String
    /// The time of the last write to the original file, in whole seconds since 1970.
    var modified: Int
    /// The length of the original file in bytes, if recorded.
    var byteCount: UInt64?
    /// The full size of the original image, if recorded.
    var fullSize: PixelSize?
    /// The media type of the original image, if recorded.
    var mediaType: String?

    /// Returns whether the thumbnail was made from the current version of the file.
    ///
    /// The standard requires equal modification times. It is not enough that the thumbnail is newer
    /// than the file: if an older version of the file is restored from a backup, the thumbnail is
    /// newer but wrong.
    func isValid(for name: DesktopThumbnailName, _ stamp: FileStamp) -> Bool {
        uri == name.uri && modified == stamp.modifiedSeconds
            && (byteCount == nil || byteCount == stamp.byteCount)
    }

    /// The data as keys and values of PNG text chunks.
    var texts: [(key: String, text: String)] {
        var texts = [("Thumb::URI", uri), ("Thumb::MTime", String(modified))]
        if let byteCount { texts.append(("Thumb::Size", String(byteCount))) }
        if let mediaType { texts.append(("Thumb::Mimetype", mediaType)) }
        if let fullSize {
            texts.append(("Thumb::Image::Width", String(fullSize.width)))
            texts.append(("Thumb::Image::Height", String(fullSize.height)))
        }
        return texts + [("Software", "TermGallery")]
    }
}

extension DesktopThumbnailFacts {
    /// Creates the data from the text chunks of a PNG.
    ///
    /// Returns nil if one of the two chunks that the standard requires is missing or invalid.
    init?(texts: [String: String]) {
        guard let uri = texts["Thumb::URI"],
            let modified = texts["Thumb::MTime"].flatMap(Self.seconds)
        else { return nil }
        self.uri = uri
        self.modified = modified
        byteCount = texts["Thumb::Size"].flatMap { UInt64($0) }
        mediaType = texts["Thumb::Mimetype"]
        let sides = ["Thumb::Image::Width", "Thumb::Image::Height"].map { name in
            texts[name].flatMap { Int($0) } ?? 0
        }
        if sides.allSatisfy({ (1...1_000_000).contains($0) }) {
            fullSize = PixelSize(width: sides[0], height: sides[1])
        }
    }

    /// Parses a number of seconds; some programs append a fraction that consists of zeros.
    private static func seconds(_ text: String) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2 else { return nil }
        guard parts.count == 1 || parts[1].utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) else {
            return nil
        }
        return Int(whole)
    }
}
