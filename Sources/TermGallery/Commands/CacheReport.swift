import FoundationEssentials
import GalleryCore
import ImageLoading

/// What `cache stats` prints.
struct CacheReport: Encodable {
    let path: String
    let files: Int
    let bytes: Int
    let limit: Int

    func print(asJSON isJSON: Bool) throws {
        guard !isJSON else { return try printJSON(self) }
        let percent = limit > 0 ? bytes * 100 / limit : 0
        Swift.print(
            """
            folder  \(path)
            files   \(files)
            size    \(CountText.bytes(bytes)) of \(CountText.bytes(limit)) (\(percent) %)
            """
        )
    }
}

/// What `cache clear` and `cache clean` print.
struct DeletionReport: Encodable {
    let files: Int
    let bytes: Int

    /// Takes over what the cache says it deleted.
    init(_ deleted: CacheStatistics) {
        files = deleted.entryCount
        bytes = deleted.byteCount
    }

    func print(asJSON isJSON: Bool) throws {
        guard !isJSON else { return try printJSON(self) }
        Swift.print("\(files) files deleted, \(CountText.bytes(bytes)) freed")
    }
}

private func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
}
