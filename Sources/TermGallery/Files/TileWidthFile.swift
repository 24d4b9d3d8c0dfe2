import Feeds
import Glibc
import ImageLoading
import SystemSupport

/// The file that stores the user's tile width as a number between runs of the gallery.
///
/// Errors are ignored: an unreadable file counts as missing, and if the file can't be written, the
/// width is not stored.
struct TileWidthFile: Sendable {
    /// The path of the file, or nil to store nothing.
    let path: String?

    /// Creates a value for the user's file, `$XDG_STATE_HOME/termgallery/tile-width`.
    init() {
        path = StateFile.path("tile-width")
    }

    init(path: String?) {
        self.path = path
    }

    /// Returns the stored width, or nil if the file contains no valid width.
    func read() -> Int? {
        guard let path else { return nil }
        let text = String(decoding: StateFile.read(path, atMost: 16), as: UTF8.self)
        guard let width = Int(text.prefix { $0 != "\n" }), (1...10_000).contains(width) else {
            return nil
        }
        return width
    }

    /// Writes the width, or removes the file if the width is nil.
    func write(_ width: Int?) {
        guard let path else { return }
        guard let width else {
            unlink(FileText.path(path))
            return
        }
        StateFile.write(Array("\(width)\n".utf8), to: path)
    }
}
