import Feeds
import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// Files that store the replies of the user's terminals and the boxes in which previews were drawn,
/// so the next command doesn't have to query the same terminal again.
///
/// There are two small files for each terminal device. Errors are ignored: without a record, the
/// terminal counts as unknown.
struct TerminalMemory {
    let terminal: TerminalIdentity?
    private let folder: String?

    /// Creates a value for the terminal of the process and the user's folder.
    init(
        terminal: TerminalIdentity? = .current(),
        folder: String? = StateFile.path("terminals")
    ) {
        (self.terminal, self.folder) = (terminal, folder)
    }

    private func path(_ kind: String) -> String? {
        guard let terminal, let folder else { return nil }
        return UserFolders.join(folder, "\(terminal.device).\(kind)")
    }

    /// The replies that this terminal sent to an earlier command, or nil if there are none.
    var replies: TerminalReplies? {
        guard let terminal, let path = path("answers") else { return nil }
        let bytes = StateFile.read(path, atMost: TerminalRecord.byteLimit)
        return TerminalRecord(String(decoding: bytes, as: UTF8.self))?.replies(from: terminal)
    }

    /// Stores the terminal's replies, or leaves the file unchanged if no query was answered.
    func remember(_ replies: TerminalReplies?) {
        guard let terminal, let replies, !replies.byQuery.isEmpty, let path = path("answers") else {
            return
        }
        StateFile.write(Array(TerminalRecord(replies, of: terminal).text.utf8), to: path)
    }

    /// The box in which the last preview was drawn in this terminal, or nil if there is none.
    var drawn: FrameRect? {
        guard let path = path("box") else { return nil }
        let text = String(decoding: StateFile.read(path, atMost: 64), as: UTF8.self)
        let words = text.split(separator: " ")
        // Another terminal may have used this device before.
        guard words.count == 2, words[1] == "\(firstID)" else { return nil }
        return PlaceArgument.rect(String(words[0]))
    }

    /// Stores the box in which a preview is drawn, or removes it.
    func remember(box rect: FrameRect?) {
        guard let path = path("box"), rect != drawn else { return }
        guard let rect else {
            unlink(FileText.path(path))
            return
        }
        let text = "\(rect.columns)x\(rect.rows)@\(rect.column)x\(rect.row) \(firstID)"
        StateFile.write(Array(text.utf8), to: path)
    }

    /// The first image ID for previews in this terminal.
    ///
    /// It depends only on the terminal, so each preview replaces the previous one.
    var firstID: UInt32 {
        let name = "\(terminal?.device ?? "") \(terminal?.mark ?? "")"
        // FNV-1a is used because the hash must be the same in each process.
        let hash = name.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return 0x01_0000 + hash % 0xE0_0000
    }
}
