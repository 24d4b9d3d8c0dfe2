public import DecoderContracts
internal import Feeds
import Glibc
import ImageLoading

extension Contract {
    /// Any bytes, as tar or zip, are read to an end in as many steps as they have bytes; each picture that
    /// is found is an item whose address names a place in the archive, or a problem.
    public static let archives = Contract("Archives") { (bytes) throws(BrokenContract) in
        try check(ArchiveListing(tarOf: bytes.count), bytes)
        try check(ArchiveListing(tarOf: nil), bytes)
        try check(ArchiveListing(zipOf: bytes.count), bytes)
    }

    private static func check(
        _ listing: ArchiveListing,
        _ bytes: [UInt8]
    ) throws(BrokenContract) {
        var listing = listing
        let base = ArchiveBase(path: Array("/a b/x!.tar".utf8), stamp: ArchiveStamp(stat()))
        guard let lines = listing.readAll(bytes) else {
            throw BrokenContract("no end after \(bytes.count) bytes")
        }
        var growing = GrowingFeed(title: "x.tar", archive: base)
        growing.append(lines)
        guard listing.tally.pictureCount > 0 else {
            return try require(lines.isEmpty, "lines of no picture")
        }
        let feed: Feed
        do throws(FeedError) {
            feed = try growing.end()
        } catch {
            throw BrokenContract("\(error)")
        }
        try require(
            feed.count == listing.tally.pictureCount,
            "\(feed.count) items of \(listing.tally.pictureCount) pictures"
        )
        for index in 0..<min(feed.count, 200) where feed[index].problem == nil {
            let url = feed[index].url
            guard let file = ArchivedFile(url: url) else {
                throw BrokenContract("URL \(url.debugDescription)")
            }
            try require(file.archive == Array("/a b/x!.tar".utf8), "archive \(file.archive)")
            try require(
                !file.name.isEmpty
                    && !file.name.split(separator: 0x2F).contains(Array("..".utf8)[...]),
                "name \(file.name)"
            )
            try require(url.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "URL \(url)")
        }
    }
}

extension ArchiveListing {
    /// The lines of all pictures in an archive in memory; nil if it makes more steps than there are bytes.
    package mutating func readAll(_ bytes: [UInt8]) -> [UInt8]? {
        var lines: [UInt8] = []
        for _ in 0..<(4 * bytes.count + 100) {
            switch need {
            case .nothing: return lines + takeLines()
            case .bytes(let position, let count):
                let start = min(position, bytes.count)
                let end = min(bytes.count - start, max(count, 600)) + start
                bytes[start..<end].withUnsafeBufferPointer {
                    take($0, isEnd: end == bytes.count)
                }
            case .note(let place):
                let start = place.plainOffset.map { min($0, bytes.count) }
                note(start.map { Array(bytes[$0...].prefix(place.byteCount)) })
            }
            lines += takeLines()
        }
        return nil
    }
}
