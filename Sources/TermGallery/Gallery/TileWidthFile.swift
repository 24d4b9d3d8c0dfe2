import Glibc

/// Keeps the width of tiles that a person chose, from one gallery to the next: one number in a file.
///
/// Harmless: what can't be read or written is as if it had never been chosen.
struct TileWidthFile: Sendable {
    /// Nil to keep nothing.
    let path: String?

    /// The file of this user, `$XDG_STATE_HOME/termgallery/tile-width`.
    init() {
        path = Self.folder().map { "\($0)/termgallery/tile-width" }
    }

    init(path: String?) {
        self.path = path
    }

    /// A relative name is no good, says the XDG specification.
    private static func folder() -> String? {
        let chosen = getenv("XDG_STATE_HOME").map { String(cString: $0) } ?? ""
        if chosen.hasPrefix("/") { return chosen }
        let home = getenv("HOME").map { String(cString: $0) } ?? ""
        return home.hasPrefix("/") ? "\(home)/.local/state" : nil
    }

    /// The width, if the file holds one that makes sense.
    func read() -> Int? {
        guard let path else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        guard let width = Int(text.prefix { $0 != "\n" }), (1...10_000).contains(width) else {
            return nil
        }
        return width
    }

    /// Writes it, or removes the file.
    func write(_ width: Int?) {
        guard let path else { return }
        guard let width else {
            unlink(path)
            return
        }
        makeFolders(above: path)
        // Whole or not at all, for another gallery may read it at this moment.
        let temporary = "\(path).\(getpid())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let bytes = Array("\(width)\n".utf8)
        let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count
        close(descriptor)
        if !isWritten || rename(temporary, path) != 0 { unlink(temporary) }
    }

    private func makeFolders(above path: String) {
        var folder = ""
        for name in path.split(separator: "/").dropLast() {
            folder += "/\(name)"
            mkdir(folder, 0o700)
        }
    }
}
