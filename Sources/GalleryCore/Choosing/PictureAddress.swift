internal import ImageLoading

/// Addresses of pictures as they are written down: the same for the same picture, and without a
/// password.
package enum PictureAddress {
    /// A URL without a login; of a file, in the one spelling that its path has; of a file in an archive
    /// without its place there, which changes with the archive.
    package static func of(_ url: String) -> String {
        if isInArchive(url) { return URLParts.withoutLogin(String(url.prefix { $0 != "?" })) }
        guard let path = path(ofURL: url) else { return URLParts.withoutLogin(url) }
        return PercentCoding.fileURL(path: tidied(path))
    }

    /// Whether it names a file in an archive.
    package static func isInArchive(_ url: String) -> Bool {
        url.hasPrefix("archive:") || url.hasPrefix("archive+")
    }

    /// Without the parts that lead nowhere: the same folder is "." and "/home/me" on two command lines.
    ///
    /// What ".." leads to is known to the file system alone.
    private static func tidied(_ path: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        let parts = path.split(separator: slash).filter { $0 != [UInt8(ascii: ".")] }
        return [slash] + parts.joined(separator: [slash])
    }

    /// The bytes of the path of a file of this machine; nil of a URL of another kind.
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
}
