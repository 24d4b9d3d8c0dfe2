import Glibc

/// Files stored next to the tests.
enum Fixtures {
    struct Missing: Error { let name: String }

    /// The bytes of `Fixtures/name`.
    static func bytes(of name: String) throws -> [UInt8] {
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        let path = (folder + ["Fixtures", Substring(name)]).joined(separator: "/")
        guard let stream = fopen(path, "rb") else { throw Missing(name: path) }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, stream)
        return Array(bytes.prefix(count))
    }

    /// Returns the positions of the two bytes 0xFF `marker` in a JPEG.
    static func offsets(of marker: UInt8, in bytes: [UInt8]) -> [Int] {
        (0..<max(0, bytes.count - 1)).filter { bytes[$0] == 0xFF && bytes[$0 + 1] == marker }
    }
}
