import Glibc

/// A file of the corpus: its name, which describes its damage, and its bytes.
typealias DamagedFile = (name: String, bytes: [UInt8])

/// The folder that the corpus is written to; existing files that are not made here stay.
struct Corpus {
    let folder: String

    struct CannotWrite: Error { let path: String }

    func write(_ files: [DamagedFile], to name: String) throws {
        mkdir(folder, 0o755)
        mkdir("\(folder)/\(name)", 0o755)
        for file in files {
            let path = "\(folder)/\(name)/\(file.name)"
            guard let stream = fopen(path, "wb") else { throw CannotWrite(path: path) }
            defer { fclose(stream) }
            guard fwrite(file.bytes, 1, file.bytes.count, stream) == file.bytes.count else {
                throw CannotWrite(path: path)
            }
        }
        print("\(name): \(files.count) files, \(files.map(\.bytes.count).reduce(0, +)) bytes")
    }

    static func read(_ path: String) throws -> [UInt8] {
        guard let stream = fopen(path, "rb") else { throw CannotWrite(path: path) }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, stream)
        return Array(bytes.prefix(count))
    }
}
