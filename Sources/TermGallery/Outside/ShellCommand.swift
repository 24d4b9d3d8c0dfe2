import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// A command typed by the user, and the files that it receives.
///
/// The shell parses only the typed text. The files are passed as arguments to the shell, so a name
/// that contains a semicolon remains a name.
struct ShellCommand: Equatable {
    /// The shell and its arguments.
    let words: [String]
    /// The names to pass on standard input, each with its end byte, or nil if the command reads the
    /// keyboard.
    let standardInput: [UInt8]?

    init(_ command: String, files: [String], names: NamePassing) {
        switch names {
        case .arguments:
            words = ["/bin/sh", "-c", Self.placing("\"$@\"", in: command), "sh"] + files
            standardInput = nil
        case .lines, .zeroEnded:
            words = ["/bin/sh", "-c", command]
            let end: UInt8 = names == .lines ? UInt8(ascii: "\n") : 0
            standardInput = files.flatMap { FileText.bytes(of: $0) + [end] }
        }
    }

    /// Replaces `{}` with the files, or appends the files to the command.
    private static func placing(_ files: String, in command: String) -> String {
        command.contains("{}")
            ? command.replacing("{}", with: files) : "\(command) \(files)"
    }
}

/// A temporary file that has no name.
enum AnonymousFile {
    /// Creates a file that contains `bytes`, positioned at its start, or returns nil if it can't be
    /// created or written.
    static func holding(_ bytes: [UInt8]) -> Int32? {
        var template = TemporaryFolder.template
        let file = mkstemp(&template)
        guard file >= 0 else { return nil }
        unlink(template)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        guard OutputBytes.write(bytes, to: file), lseek(file, 0, SEEK_SET) == 0 else {
            close(file)
            return nil
        }
        return file
    }
}
