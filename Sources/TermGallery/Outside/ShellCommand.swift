import GalleryCore
import Glibc
import ImageLoading

/// A command that a person typed, and the files it is for.
///
/// The shell parses what was typed and nothing else: the files are its arguments, so that a name with
/// a semicolon in it is a name.
struct ShellCommand: Equatable {
    /// The shell and its arguments.
    let words: [String]
    /// The names for standard input, each with its end; nil if the keyboard is read.
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

    /// The files stand for `{}`, or else behind the command.
    private static func placing(_ files: String, in command: String) -> String {
        command.contains("{}")
            ? command.replacing("{}", with: files) : "\(command) \(files)"
    }
}

/// A file without a name.
enum AnonymousFile {
    /// One that holds these bytes and is read from its start; nil if there is no place for it.
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
