import Glibc

/// Files beside the tests.
enum Fixtures {
    struct Missing: Error { let name: String }

    /// The bytes of `Fixtures/name`.
    static func bytes(of name: String, file: String = #filePath) throws -> [UInt8] {
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        let path = (folder + ["Fixtures", Substring(name)]).joined(separator: "/")
        guard let stream = fopen(path, "rb") else { throw Missing(name: path) }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, stream)
        return Array(bytes.prefix(count))
    }
}
