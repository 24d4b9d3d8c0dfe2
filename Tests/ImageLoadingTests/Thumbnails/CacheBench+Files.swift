import Foundation

@testable import ImageLoading
import SystemSupport

extension CacheBench {
    /// Writes a file outside the cache, replacing an existing one.
    func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// Returns the allocated size of all entries according to `stat`.
    func entryByteCount() throws -> Int {
        try fileNames().filter { EntryName(parsing: $0) != nil }.reduce(0) {
            $0 + (try FileStatus.of("\(directory)/\($1)")).allocatedByteCount
        }
    }
}
