import ImageLoading

/// The URL of a member of a remote archive.
///
/// Only the part of the archive that contains the member is requested.
///
///     archive+https://host/shard.tar!/a/0001.jpg?p512-1234&%22etag%22&70000
///
/// The URL has the same form as an `ArchivedFile` URL. Instead of the version of a local file
/// (`stamp`), it contains the validator (RFC 9110, 8.8) and the length of the archive. If the
/// server sends no validator, the validator is empty.
package struct RemoteArchivedFile: Hashable, Sendable {
    /// The URL of the archive.
    let archive: String
    let place: ArchivedFile.Place
    let byteCount: Int
    /// The validator for `If-Range`, or nil if the server sends no validator.
    let validator: String?
    /// The length of the archive in bytes when its directory was read, or nil in URLs created by
    /// earlier versions of the program.
    let archiveByteCount: Int?

    private static let start = "archive+"
    /// Parses a URL, or returns nil if it is not the URL of a member of a remote archive.
    init?(url: String) {
        guard url.hasPrefix(Self.start), let sign = url.firstRange(of: "!/"),
            let query = url[sign.upperBound...].firstIndex(of: "?")
        else { return nil }
        let address = url[..<sign.lowerBound].dropFirst(Self.start.count)
        archive = String(address.replacing("%21", with: "!"))
        guard address.hasPrefix("http://") || address.hasPrefix("https://") else { return nil }
        let parts = url[url.index(after: query)...]
            .split(separator: "&", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let found = ArchivedFile.place(parts[0])
        else { return nil }
        (place, byteCount) = found
        validator = parts[1].isEmpty ? nil : PercentCoding.decoded(parts[1])
        archiveByteCount = parts.count == 3 ? Int(parts[2]) : nil
        guard parts.count == 2 || archiveByteCount != nil else { return nil }
    }

    /// Returns the prefix shared by the URLs of all members of an archive, up to the member's path.
    ///
    /// Returns nil if the archive's URL has a query or a fragment, because no path can be appended
    /// to such a URL.
    package static func prefix(ofArchive url: String) -> String? {
        guard !url.contains("?"), !url.contains("#") else { return nil }
        return "\(start)\(url.replacing("!", with: "%21"))!/"
    }

    /// Returns the end of a member's URL: the validator and the length of the archive.
    package static func suffix(_ validator: String?, archiveByteCount: Int?) -> String {
        "&"
            + PercentCoding.encodedPath(
                Array((validator ?? "").utf8),
                keeping: ASCII.isAlphanumeric
            ) + (archiveByteCount.map { "&\($0)" } ?? "")
    }

    /// The part of the archive that contains the member.
    var part: NetworkPart {
        NetworkPart(
            of: archive,
            range: range,
            byteCount: byteCount,
            validator: validator,
            resourceByteCount: archiveByteCount,
            resourceName: "the archive",
            makeExtractor: { MemberExtractor(place: place, byteCount: byteCount) }
        )
    }

    /// Returns the part of a member's URL that is the same in all versions of its archive.
    package static func name(inURL url: String) -> String { String(url.prefix { $0 != "?" }) }

    /// The number of bytes requested for the name and the extra field of a local header, which are
    /// expected to be shorter.
    private static let slack = 1024

    /// The range of bytes to request.
    ///
    /// For a member of a zip archive, the range includes `slack` additional bytes, because the
    /// length of the local header is not known in advance.
    var range: Range<Int> {
        switch place {
        case .plain(let offset): offset..<offset + byteCount
        case .zip(let header, let packed, _):
            header..<header + ZipLocalHeader.byteCount + Self.slack + (packed ?? byteCount)
        }
    }
}
