import GalleryCore
import ImageLoading

/// A command typed by the user, and the files that it receives.
///
/// The shell parses only the typed text. The files are passed as arguments to the shell, so a name
/// that contains a semicolon remains a name.
struct ShellCommand: Equatable {
    /// The shell and its arguments.
    let words: [String]
    /// The file names to pass on standard input, each with its end byte, or nil if the command
    /// reads the keyboard.
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
