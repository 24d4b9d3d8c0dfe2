internal import Glibc

/// What is done with the thumbnails that the programs of a desktop share: those in
/// `$XDG_CACHE_HOME/thumbnails`, by the Thumbnail Managing Standard of freedesktop.org.
public enum DesktopThumbnailUse: Hashable, Sendable {
    /// Nothing.
    case none
    /// Local pictures are shown by them, where `LoadingOptions.acceptThumbnail` says that a smaller
    /// picture may stand for the picture.
    case read
    /// That, and those that are missing are made, in the background.
    case readAndWrite
}

/// Where such a thumbnail lies, and which file it is of.
///
/// Pure.
///
///     thumbnails/normal/c6ee772d9e49320e97ec29a7eb5b1697.png      up to 128 by 128 pixels
///     thumbnails/large/…, x-large/…, xx-large/…                   256, 512, 1024
///     thumbnails/fail/…                                           what others can't show
struct DesktopThumbnailName: Hashable, Sendable {
    /// The sizes there are, the smallest first.
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

        /// The smallest that has the pixels for a box; nil if none has.
        static func least(covering box: PixelSize) -> Size? {
            allCases.first { $0.rawValue >= max(box.width, box.height) }
        }
    }

    /// The file's address, as all programs of a desktop spell it.
    let uri: String

    /// That of a file by the bytes of its path; nil if that is not absolute.
    init?(path: [UInt8]) {
        guard path.first == UInt8(ascii: "/"), !path.contains(0) else { return nil }
        uri = "file://" + Self.escaped(Self.canonical(path))
    }

    /// The name of its file in the folder of each size.
    var fileName: String { MessageDigest.md5(uri).hexadecimal + ".png" }

    /// Without empty steps, `.` and `..`.
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

    /// As GLib's `g_filename_to_uri` does it, which is what file managers have always named them by:
    /// letters, digits and these signs as they are, all else in upper-case hexadecimal.
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

/// What stands in the text chunks of such a thumbnail's PNG.
///
/// Pure; the file comes from any program.
struct DesktopThumbnailFacts: Hashable, Sendable {
    /// Of which file.
    var uri: String
    /// When that was written last, in whole seconds.
    var modified: Int
    /// Its length in bytes, if it was noted.
    var byteCount: UInt64?
    /// The full size of its picture, if it was noted.
    var fullSize: PixelSize?
    /// The media type of its picture, if it was noted.
    var mediaType: String?

    /// Whether the thumbnail is one of the file as it is.
    ///
    /// The time must be the same, says the standard, and not only later: a file that is put back from
    /// a backup is older.
    func isValid(for name: DesktopThumbnailName, _ stamp: FileStamp) -> Bool {
        uri == name.uri && modified == stamp.modifiedSeconds
            && (byteCount == nil || byteCount == stamp.byteCount)
    }

    /// As the texts of chunks.
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
    /// Takes the texts of a PNG; nil if the two are missing that the standard demands.
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

    /// Some programs write a fraction of zeros behind it.
    private static func seconds(_ text: String) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.count <= 2 else { return nil }
        guard parts.count == 1 || parts[1].utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) else {
            return nil
        }
        return Int(whole)
    }
}
