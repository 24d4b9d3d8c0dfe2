import Glibc

/// The fuzzers' corpus: files named for their damage, a folder a format.
public enum DamageCorpus {
    /// A file of the corpus.
    public struct File: Sendable {
        /// Its folder and name.
        public let name: String
        /// The content.
        public let bytes: [UInt8]
    }

    /// A folder or file that is not there, or a folder without files.
    public struct Missing: Error {
        /// Where it was looked for.
        public let path: String
    }

    /// Returns the files of a folder, sorted by name; throws if the folder contains no files.
    public static func files(in folder: String) throws -> [File] {
        let path = root + "/" + folder
        guard let directory = opendir(path) else { throw Missing(path: path) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            // An entry is only as long as its name: `d_name` must not be copied with its 256 bytes.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = UnsafeRawPointer(entry).advanced(by: offset)
            let name = String(cString: start.assumingMemoryBound(to: CChar.self))
            if !name.hasPrefix(".") { names.append(name) }
        }
        guard !names.isEmpty else { throw Missing(path: path) }
        return try names.sorted().map { name in
            File(name: folder + "/" + name, bytes: try contents(of: path + "/" + name))
        }
    }

    /// Returns the expected result of each image: `picture`, or the kind of error.
    public static func expectedResults() throws -> [String: String] {
        let text = String(decoding: try contents(of: root + "/verdicts.txt"), as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        return Dictionary(
            lines.filter { $0.count == 2 }.map { ($0[0], $0[1]) },
            uniquingKeysWith: { $1 }
        )
    }

    private static var root: String {
        let folders = #filePath.split(separator: "/").dropLast(4)
        return "/" + folders.joined(separator: "/") + "/Fuzz/Corpus"
    }

    private static func contents(of path: String) throws -> [UInt8] {
        guard let stream = fopen(path, "rb") else { throw Missing(path: path) }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, stream)
        return Array(bytes.prefix(count))
    }
}
