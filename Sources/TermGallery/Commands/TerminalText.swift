import FoundationEssentials
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// Text for a person at a terminal, free of control sequences from outside the program.
///
/// The functions that write text for people accept only this type. Literals in the program are
/// kept, including their control sequences. All other strings, including those interpolated into a
/// literal, are escaped by `EscapedText`. Text on the gallery's screen uses `FrameText` instead
/// because its width is also needed.
struct TerminalText: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The escaped text, which is safe to write to a terminal.
    let text: String

    /// Creates a single line by escaping a string from outside the program.
    init(_ untrusted: String) {
        text = EscapedText.of(FileText.shown(untrusted))
    }

    /// Creates one or more lines by escaping a string from outside the program.
    ///
    /// Line feeds are kept.
    init(lines untrusted: String) {
        text = EscapedText.of(FileText.shown(untrusted), keepingLineFeeds: true)
    }

    init(stringLiteral literal: StaticString) {
        text = "\(literal)"
    }

    init(stringInterpolation interpolation: StringInterpolation) {
        text = interpolation.text
    }

    /// The parts of an interpolated literal.
    ///
    /// The `StaticString` type guarantees that the literal parts are from the program's source
    /// code.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        mutating func appendLiteral(_ literal: StaticString) {
            text += "\(literal)"
        }

        mutating func appendInterpolation(_ untrusted: String) {
            text += TerminalText(untrusted).text
        }

        mutating func appendInterpolation(_ number: Int) {
            text += String(number)
        }

        mutating func appendInterpolation(_ other: TerminalText) {
            text += other.text
        }
    }
}

// MARK: - Output for people

/// Writes a line to standard output.
func printLine(_ line: TerminalText) {
    print(line.text)
}

/// Prints a value as one line of JSON.
///
/// The line is escaped in the same way as `TerminalText`.
func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print(EscapedText.of(String(decoding: try encoder.encode(value), as: UTF8.self)))
}

/// Writes a line to standard error.
func printError(_ line: TerminalText) {
    OutputBytes.write("\(line)\n", to: STDERR_FILENO)
}

extension OutputBytes {
    /// Writes text for people.
    ///
    /// If the terminal is closed, the lost text is not reported.
    static func write(_ text: TerminalText, to descriptor: Int32) {
        _ = write(Array(text.text.utf8), to: descriptor)
    }
}
