import ImageLoading

/// The form in which image URLs are stored: the same image always has the same URL, and no URL
/// contains a password.
package enum PictureAddress {
    /// Returns a URL without its user name and password.
    ///
    /// The path of a file is normalized. If the URL refers to a file in an archive, the part after
    /// the path is removed, because it changes with the archive.
    package static func of(_ url: String) -> String {
        if isInArchive(url) { return URLParts.withoutLogin(String(url.prefix { $0 != "?" })) }
        guard let path = path(ofURL: url) else { return URLParts.withoutLogin(url) }
        return PercentCoding.fileURL(path: tidied(path))
    }

    /// Returns whether the URL refers to a file in an archive.
    package static func isInArchive(_ url: String) -> Bool {
        url.hasPrefix("archive:") || url.hasPrefix("archive+")
    }

    /// Removes empty and "." components, so "/home/me" and "/home/./me/" become the same path.
    ///
    /// ".." components are kept, because only the file system can resolve them.
    private static func tidied(_ path: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        let parts = path.split(separator: slash).filter { $0 != [UInt8(ascii: ".")] }
        return [slash] + parts.joined(separator: [slash])
    }

    /// Returns the bytes of the path of a local file, or nil for other URLs.
    package static func path(ofURL url: String) -> [UInt8]? {
        let scheme = "file:"
        guard url.hasPrefix(scheme) else { return nil }
        var rest = url.utf8.dropFirst(scheme.utf8.count)
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2).drop { $0 != UInt8(ascii: "/") }
        }
        let path = PercentCoding.decoded(rest.prefix { $0 != UInt8(ascii: "?") })
        return path.first == UInt8(ascii: "/") && !path.contains(0) ? path : nil
    }

    /// Returns the path of a local file, followed by a NUL byte as system calls require, or nil for
    /// other URLs.
    package static func cPath(ofURL url: String) -> [CChar]? {
        path(ofURL: url).map { $0.map(CChar.init(bitPattern:)) + [0] }
    }
}
