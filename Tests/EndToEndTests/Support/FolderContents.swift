import Glibc

/// The names of the files under a folder, at any depth.
func fileNames(under folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name == "." || name == ".." { continue }
        let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
        names += isFolder ? fileNames(under: "\(folder)/\(name)") : [name]
    }
    return names
}
