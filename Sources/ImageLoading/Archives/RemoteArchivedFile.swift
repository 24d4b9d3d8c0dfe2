/// The address of a file in an archive on a server, which is asked for that part alone.
///
///     archive+https://host/shard.tar!/a/0001.jpg?p512-1234&%22etag%22
///
/// As `ArchivedFile`, with what tells the archive's version in place of a stamp; nothing where the server
/// says nothing of it.
package struct RemoteArchivedFile: Hashable, Sendable {
    /// The address of the archive.
    let archive: String
    let place: ArchivedFile.Place
    let byteCount: Int
    /// For `If-Range`.
    let validator: String?

    private static let start = "archive+"
    /// What such addresses begin with.
    static let schemes: Set = [start + "http", start + "https"]

    /// Takes an address apart; nil if it is none of these.
    init?(url: String) {
        guard url.hasPrefix(Self.start), let sign = url.firstRange(of: "!/"),
            let query = url[sign.upperBound...].firstIndex(of: "?")
        else { return nil }
        let address = url[..<sign.lowerBound].dropFirst(Self.start.count)
        archive = String(address.replacing("%21", with: "!"))
        guard address.hasPrefix("http://") || address.hasPrefix("https://") else { return nil }
        let parts = url[url.index(after: query)...]
            .split(separator: "&", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let found = ArchivedFile.place(parts[0]) else { return nil }
        (place, byteCount) = found
        validator = parts[1].isEmpty ? nil : PercentCoding.decoded(parts[1])
    }

    /// The part of all addresses in an archive that stands before the file's path; nil of an archive
    /// whose address has a query, which is no place for others.
    package static func prefix(ofArchive url: String) -> String? {
        guard !url.contains("?"), !url.contains("#") else { return nil }
        return "\(start)\(url.replacing("!", with: "%21"))!/"
    }

    /// What stands behind all references to files in an archive.
    package static func suffix(_ validator: String?) -> String {
        "&"
            + PercentCoding.encodedPath(
                Array((validator ?? "").utf8),
                keeping: ASCII.isAlphanumeric
            )
    }

    /// Local headers say less of a file's name and times than so many bytes can hold.
    private static let slack = 1024

    /// The bytes that are asked for: of zip the local header's length is not known before.
    var range: Range<Int> {
        switch place {
        case .plain(let offset): offset..<offset + byteCount
        case .zip(let header, let packed):
            header..<header + ZipLocalHeader.byteCount + Self.slack + (packed ?? byteCount)
        }
    }
}
