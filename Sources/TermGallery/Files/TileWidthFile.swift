import Glibc
import ImageLoading

/// Keeps the width of tiles that a person chose, from one gallery to the next: one number in a file.
///
/// Harmless: what can't be read or written is as if it had never been chosen.
struct TileWidthFile: Sendable {
    /// Nil to keep nothing.
    let path: String?

    /// The file of this user, `$XDG_STATE_HOME/termgallery/tile-width`.
    init() {
        path = StateFile.path("tile-width")
    }

    init(path: String?) {
        self.path = path
    }

    /// The width, if the file holds one that makes sense.
    func read() -> Int? {
        guard let path else { return nil }
        let text = String(decoding: StateFile.read(path, atMost: 16), as: UTF8.self)
        guard let width = Int(text.prefix { $0 != "\n" }), (1...10_000).contains(width) else {
            return nil
        }
        return width
    }

    /// Writes it, or removes the file.
    func write(_ width: Int?) {
        guard let path else { return }
        guard let width else {
            unlink(FileText.path(path))
            return
        }
        StateFile.write(Array("\(width)\n".utf8), to: path)
    }
}
