import Foundation

@testable import ImageLoading

extension CacheBench {
    /// Writes a file outside of the cache, in place of what is there.
    func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// Of all entries, as `stat` says.
    func entryByteCount() throws -> Int {
        try fileNames().filter { EntryName(parsing: $0) != nil }.reduce(0) {
            $0 + (try FileFacts.of("\(directory)/\($1)")).allocatedByteCount
        }
    }
}
