import TerminalUI

/// Cuts a terminal's byte stream into characters, controls and sequences.
///
/// Pure.
struct SequenceParser: Sendable {
    /// The recognized sequence.
    enum Action: Equatable {
        /// A printable character.
        case character(UInt32)
        /// A C0 control.
        case control(UInt8)
        /// `ESC` and one or two characters.
        case escape(String)
        /// `CSI`: private marker (0 if none), parameters with their parts after colons,
        /// intermediate and final byte.
        case sequence(marker: UInt8, parameters: [[Int]], final: String)
    }

    private enum State: Equatable {
        case ground
        case escape(String)
        case sequence([UInt8])
        case string(escaped: Bool)
        case utf8(value: UInt32, missing: Int)
    }

    private var state = State.ground

    /// The action that `byte` completes, if any.
    mutating func take(_ byte: UInt8) -> Action? {
        switch state {
        case .string(let escaped):
            let isEnd = byte == 0x07 || escaped && byte == UInt8(ascii: "\\")
            state = isEnd ? .ground : .string(escaped: byte == 0x1B)
            return nil
        case .utf8(let value, let missing) where byte & 0xC0 == 0x80:
            let value = value << 6 | UInt32(byte & 0x3F)
            state = missing == 1 ? .ground : .utf8(value: value, missing: missing - 1)
            return missing == 1 ? .character(value) : nil
        case _ where byte == 0x1B:
            state = .escape("")
            return nil
        case _ where byte < 0x20:
            return .control(byte)
        case .escape(let text):
            return takeEscape(text, byte)
        case .sequence(let bytes):
            return takeSequence(bytes, byte)
        case .ground, .utf8:
            return takeCharacter(byte)
        }
    }

    private mutating func takeCharacter(_ byte: UInt8) -> Action? {
        state = .ground
        switch byte {
        case 0x20..<0x7F: return .character(UInt32(byte))
        case 0xC2..<0xE0: state = .utf8(value: UInt32(byte & 0x1F), missing: 1)
        case 0xE0..<0xF0: state = .utf8(value: UInt32(byte & 0x0F), missing: 2)
        case 0xF0..<0xF5: state = .utf8(value: UInt32(byte & 0x07), missing: 3)
        default: return .character(0xFFFD)
        }
        return nil
    }

    private mutating func takeEscape(_ text: String, _ byte: UInt8) -> Action? {
        let character = String(Unicode.Scalar(byte))
        switch character {
        case "[" where text.isEmpty: state = .sequence([])
        case "]" where text.isEmpty, "P" where text.isEmpty, "_" where text.isEmpty:
            state = .string(escaped: false)
        case _ where (0x20..<0x30).contains(byte): state = .escape(text + character)
        default:
            state = .ground
            return .escape(text + character)
        }
        return nil
    }

    private mutating func takeSequence(_ bytes: [UInt8], _ byte: UInt8) -> Action? {
        guard (0x40...0x7E).contains(byte) else {
            state = .sequence(bytes + [byte])
            return nil
        }
        state = .ground
        var bytes = bytes[...]
        var marker: UInt8 = 0
        if let first = bytes.first, (0x3C...0x3F).contains(first) {
            marker = first
            bytes = bytes.dropFirst()
        }
        let numbers = bytes.prefix { (0x30...0x3B).contains($0) }
        let intermediate = bytes.dropFirst(numbers.count)
        let parameters = numbers.split(
            separator: UInt8(ascii: ";"),
            omittingEmptySubsequences: false
        )
        .map { parameter in
            parameter.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
                .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
        }
        return .sequence(
            marker: marker,
            parameters: parameters,
            final: String(decoding: Array(intermediate) + [byte], as: UTF8.self)
        )
    }
}
