import Feeds
import GalleryCore
import ImageLoading
import SystemSupport

/// A namespace for deriving image file names from text in untrusted feeds.
enum SafeFileName {
    /// The maximum length of a file name in bytes on most file systems.
    static let longest = 255
    /// The number of bytes reserved before the suffix for a number such as "-10000".
    private static let roomForNumber = 6

    /// Returns a file name from the last path component of the URL, with a suffix for the image
    /// format.
    ///
    /// If the path component is unusable, the caption is used. The result is never a path, a hidden
    /// file or a command option, and never contains terminal control characters.
    static func name(forURL url: String, caption: String, suffixes: [String]) -> String {
        let title = url.hasPrefix("data:") ? "" : FeedItem(url: url).caption
        let name = [title, caption].lazy.map(cleaned).first { !$0.isEmpty } ?? "image"
        let (stem, suffix) = split(name)
        guard let usual = suffixes.first else { return cut(stem, suffix) }
        return suffixes.contains(suffix.lowercased()) ? cut(stem, suffix) : cut(name, usual)
    }

    /// Returns a numbered name, such as "name-2.jpg" for "name.jpg".
    static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 1 else { return name }
        let (stem, suffix) = split(name)
        return suffix.isEmpty ? "\(stem)-\(number)" : "\(stem)-\(number).\(suffix)"
    }

    /// Returns a path with underscores in place of the characters in the last path component that
    /// FAT and other Windows file systems forbid.
    static func portable(_ path: String) -> String {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
        let name = path[(end ?? path.startIndex)...].unicodeScalars
        let kept = name.reversed().drop { $0 == "." || $0 == " " }.count
        guard kept > 0 else { return path }
        let scalars = name.enumerated().map { place, scalar -> Unicode.Scalar in
            let isForbidden = scalar.value < 0x20 || forbiddenInFAT.contains(scalar)
            return isForbidden || place >= kept ? "_" : scalar
        }
        return path[..<(end ?? path.startIndex)] + String(String.UnicodeScalarView(scalars))
    }

    private static let forbiddenInFAT = "\"*:<>?|\\".unicodeScalars

    private static func cleaned(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in FileText.shown(name).unicodeScalars {
            let isForbidden =
                scalar == "/" || EscapedText.mustEscape(scalar) || scalar == "\u{FFFD}"
            scalars.append(isForbidden ? "_" : scalar)
        }
        let name = String(scalars).drop { $0 == "." || $0 == "-" || $0 == " " || $0 == "_" }
        return String(name.reversed().drop { $0 == " " || $0 == "." }.reversed())
    }

    /// Splits a name at its last dot.
    ///
    /// A suffix has 1 to 8 ASCII letters or digits. If the name has no such suffix, the second part
    /// is empty.
    private static func split(_ name: String) -> (stem: String, suffix: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        let suffix = name[dot...].dropFirst()
        guard (1...8).contains(suffix.utf8.count),
            suffix.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return (name, "") }
        return (String(name[..<dot]), String(suffix))
    }

    private static func cut(_ stem: String, _ suffix: String) -> String {
        let end = suffix.isEmpty ? "" : ".\(suffix)"
        var stem = stem
        while stem.utf8.count + end.utf8.count + roomForNumber > longest { stem.removeLast() }
        return stem + end
    }
}
