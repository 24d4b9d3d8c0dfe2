import GalleryCore
import ImageLoading
import SystemSupport

/// A command typed by the user, and the files passed to it.
///
/// The shell parses only the typed text. The files are passed to the shell as arguments, so a
/// semicolon in a file name does not end the command.
struct ShellCommand: Equatable {
    /// The shell and its arguments.
    let words: [String]
    /// The file names to pass on standard input, each followed by a line feed or a NUL byte, or nil
    /// if the command reads from the keyboard.
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

    /// Returns the command with `{}` replaced by `files`, or with `files` appended if the command
    /// doesn't contain `{}`.
    private static func placing(_ files: String, in command: String) -> String {
        command.contains("{}")
            ? command.replacing("{}", with: files) : "\(command) \(files)"
    }
}
