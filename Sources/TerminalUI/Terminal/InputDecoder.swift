/// Converts ncurses input to keys, mouse events, pasted text and replies from the terminal.
///
/// This type has no side effects. ncurses returns unknown sequences as individual characters, split
/// wherever the connection splits them. If a reply from the terminal were read as keys, it could
/// trigger commands such as clearing the caches. A sequence that is not completed in time is
/// dropped without affecting other input.
package struct InputDecoder {
    private enum State: Equatable {
        case ground
        /// An Escape byte has been received, and no character after it.
        case escape
        /// `ESC [` has been received; `text` contains the parameters received so far.
        case sequence
        /// `ESC O` has been received; one more character follows.
        case singleShift
        /// `ESC [ M` has been received; `text` contains the characters received so far.
        case oldMouse
        /// A string is being received; `text` contains the characters received so far.
        case string(TerminalReply.Introducer)
        /// An Escape byte has been received inside a string.
        ///
        /// It is either the start of the string terminator or a key.
        case stringEscape(TerminalReply.Introducer)
        /// Pasted text is being received.
        case paste
        /// The rest of an excessively long paste is being received; its characters are not treated
        /// as keys.
        case restOfPaste
    }

    package init() {}

    /// Whether replies from the terminal are expected.
    ///
    /// If so, an Escape byte at the end of the available input may be the start of a reply, so it
    /// is held until more input arrives or `deadline` has passed.
    package var expectsReplies = false
    /// The completed replies, until `takeReplies` removes them.
    package private(set) var replies: [TerminalReply] = []

    private var state = State.ground
    private var text: [UInt32] = []
    private var clicks = ClickTracker()
    private var paste = PastedText()
    private var begin = Duration.zero
    private var lastInput = Duration.zero

    /// The time after which an Escape byte without further input counts as the Escape key.
    ///
    /// It is longer than the gap between two packets of one write but still hardly noticeable.
    private static let escapePatience = Duration.milliseconds(100)
    /// The time after which the start of a sequence without parameters counts as a key with Alt.
    ///
    /// It is longer than the pause that a slow connection causes within a sequence, because the
    /// rest of the sequence would otherwise be read as keys.
    private static let startPatience = Duration.milliseconds(250)
    /// The maximum pause within a sequence, and the maximum time from its first byte to its last.
    private static let pausePatience = Duration.milliseconds(500)
    private static let wholePatience = Duration.seconds(2)
    /// The maximum pause in pasted text.
    ///
    /// Characters in pasted text must never be treated as keys. However, the end mark of a paste
    /// may be lost, and without this limit, all later keys would be part of the paste.
    private static let pastePatience = Duration.seconds(1)
    /// The maximum length of a reply in characters.
    ///
    /// Longer replies are read to their end and dropped.
    private static let longestReply = 4096

    /// Returns the events that are complete after this key.
    ///
    /// `now` may be the time of any monotonic clock.
    package mutating func take(_ key: CursesKey, now: Duration) -> [InputEvent] {
        let overdue = isOverdue(now) ? abandon() : []
        lastInput = now
        return overdue + take(key)
    }

    private mutating func take(_ key: CursesKey) -> [InputEvent] {
        switch key {
        case .character(let scalar):
            return take(scalar)
        case .code where state == .paste || state == .restOfPaste:
            return []
        case .code(CursesKey.mouse):
            defer { enter(.sequence, text: [0x3C]) }
            return abandon()
        case .code(CursesKey.oldMouse):
            defer { enter(.oldMouse) }
            return abandon()
        case .code(let code):
            let key = CursesKey.key(code: code)
            switch state {
            case .escape, .stringEscape: return alt(key)
            case .ground, .sequence, .singleShift, .oldMouse, .string, .paste, .restOfPaste:
                return abandon() + (key.map { [.key($0)] } ?? [])
            }
        }
    }

    /// Handles the end of the available input.
    ///
    /// A pending Escape byte counts as the Escape key, unless replies from the terminal are
    /// expected.
    package mutating func endOfReading() -> [InputEvent] {
        state == .escape && !expectsReplies ? abandon() : []
    }

    /// Removes and returns the completed replies.
    package mutating func takeReplies() -> [TerminalReply] {
        defer { replies.removeAll() }
        return replies
    }

    // MARK: Waiting

    /// The time at which `expire` must be called if no more input arrives, or nil if no sequence is
    /// pending.
    var deadline: Duration? {
        switch state {
        case .ground: nil
        case .escape, .stringEscape: lastInput + Self.escapePatience
        case .singleShift: lastInput + Self.startPatience
        case .sequence where text.isEmpty, .string where text.isEmpty:
            lastInput + Self.startPatience
        case .sequence, .string, .oldMouse:
            min(lastInput + Self.pausePatience, begin + Self.wholePatience)
        case .paste, .restOfPaste: lastInput + Self.pastePatience
        }
    }

    /// Ends the pending sequence if `deadline` has passed, and returns its keys or pasted text.
    package mutating func expire(now: Duration) -> [InputEvent] {
        guard let deadline, now >= deadline else { return [] }
        return abandon()
    }

    /// Returns whether the pending sequence has taken too long.
    ///
    /// If a user keeps typing after an incomplete sequence, there may be no pause long enough for
    /// `deadline` to pass.
    private func isOverdue(_ now: Duration) -> Bool {
        switch state {
        // A paste is never overdue: if this program was busy or stopped, the bytes were waiting in
        // the terminal.
        case .ground, .escape, .singleShift, .paste, .restOfPaste: false
        case .sequence, .string, .stringEscape, .oldMouse: now > begin + Self.wholePatience
        }
    }

    private mutating func enter(_ next: State, text: [UInt32] = []) {
        if state == .ground || next == .escape { begin = lastInput }
        (state, self.text) = (next, text)
    }

    private mutating func reset() {
        enter(.ground)
    }

    /// Abandons the pending sequence, and returns the keys or pasted text that it consists of.
    ///
    /// A short sequence may be a key that the user pressed together with Alt, because Alt sends an
    /// Escape byte before the key. A longer sequence is dropped.
    private mutating func abandon() -> [InputEvent] {
        defer { reset() }
        switch state {
        case .escape, .stringEscape: return [.key(.escape)]
        case .sequence where text.isEmpty: return [.key(.alt(.character("[")))]
        case .singleShift: return [.key(.alt(.character("O")))]
        case .string(let introducer) where text.isEmpty:
            return alt(Key(scalar: introducer.rawValue))
        case .paste: return [.paste(paste.text)]
        case .ground, .sequence, .string, .oldMouse, .restOfPaste: return []
        }
    }

    // MARK: Characters

    private mutating func take(_ scalar: UInt32) -> [InputEvent] {
        switch state {
        case .ground:
            guard scalar == 0x1B else { return Key(scalar: scalar).map { [.key($0)] } ?? [] }
            enter(.escape)
            return []
        case .escape: return takeAfterEscape(scalar)
        case .sequence: return takeInSequence(scalar)
        case .singleShift: return takeAfterSingleShift(scalar)
        case .oldMouse: return takeOldMouse(scalar)
        case .string(let introducer): return takeInString(introducer, scalar)
        case .stringEscape(let introducer):
            guard scalar == 0x5C else {
                enter(.escape)
                return takeAfterEscape(scalar)
            }
            endString(introducer)
            return []
        case .paste, .restOfPaste:
            if paste.take(scalar) { return abandon() }
            guard state == .paste, paste.isTooLong else { return [] }
            defer { enter(.restOfPaste) }
            return abandon()
        }
    }

    private mutating func takeAfterEscape(_ scalar: UInt32) -> [InputEvent] {
        switch scalar {
        case 0x5B: enter(.sequence)
        case 0x4F: enter(.singleShift)
        default:
            guard let introducer = TerminalReply.Introducer(rawValue: scalar) else {
                // Two Escape bytes are either two key presses, or one key press and the start of a
                // sequence.
                return scalar == 0x1B ? abandon() + take(scalar) : alt(Key(scalar: scalar))
            }
            enter(.string(introducer))
        }
        return []
    }

    /// Ends a sequence that consists of an Escape byte and a key, which the user pressed together
    /// with Alt.
    ///
    /// The key must not have the effect that it has without Alt.
    private mutating func alt(_ key: Key?) -> [InputEvent] {
        reset()
        return key.map { [.key(.alt($0))] } ?? []
    }

    private mutating func takeAfterSingleShift(_ scalar: UInt32) -> [InputEvent] {
        guard (0x20..<0x7F).contains(scalar) else { return abandon() + take(scalar) }
        reset()
        return knownKey("\u{1B}O", final: scalar) ?? []
    }

    private mutating func takeInSequence(_ scalar: UInt32) -> [InputEvent] {
        switch scalar {
        case 0x20..<0x40:
            collect(scalar)
            return []
        case 0x40..<0x7F:
            return endSequence(scalar)
        default:
            return abandon() + take(scalar)
        }
    }

    private mutating func endSequence(_ final: UInt32) -> [InputEvent] {
        let parameters = string(of: text)
        if parameters == "200", final == 0x7E {
            paste = PastedText()
            enter(.paste)
            return []
        }
        if parameters.isEmpty, final == 0x4D {
            enter(.oldMouse)
            return []
        }
        defer { reset() }
        if parameters.hasPrefix("<"), final == 0x4D || final == 0x6D {
            guard final == 0x4D, let report = MouseReport(parameters: parameters.dropFirst())
            else { return [] }
            return clicks.event(of: report, now: lastInput)
        }
        if let key = knownKey("\u{1B}[" + parameters, final: final) { return key }
        if text.count < Self.longestReply {
            replies.append(.sequence(parameters + string(of: [final])))
        }
        return []
    }

    /// Returns the key for a sequence that ncurses did not recognize because it arrived in pieces.
    private func knownKey(_ start: String, final: UInt32) -> [InputEvent]? {
        let code = CursesKey.code(of: start + string(of: [final]))
        return code.map { CursesKey.key(code: $0).map { [.key($0)] } ?? [] }
    }

    private mutating func takeOldMouse(_ scalar: UInt32) -> [InputEvent] {
        guard scalar >= 0x20 else { return abandon() + take(scalar) }
        text.append(scalar)
        guard text.count == 3 else { return [] }
        defer { reset() }
        return clicks.event(of: MouseReport(characters: text), now: lastInput)
    }

    private mutating func takeInString(
        _ introducer: TerminalReply.Introducer,
        _ scalar: UInt32
    ) -> [InputEvent] {
        switch scalar {
        case 0x1B: state = .stringEscape(introducer)
        case 0x07, 0x9C: endString(introducer)
        case 0x20...: collect(scalar)
        // Replies contain no control characters, so the user must have pressed a key such as
        // Return.
        default: return abandon() + take(scalar)
        }
        return []
    }

    private mutating func endString(_ introducer: TerminalReply.Introducer) {
        if text.count < Self.longestReply {
            replies.append(.string(introducer, string(of: text)))
        }
        reset()
    }

    private mutating func collect(_ scalar: UInt32) {
        if text.count < Self.longestReply { text.append(scalar) }
    }

    private func string(of scalars: [UInt32]) -> String {
        String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
    }
}

extension Key {
    /// Creates the key for a character, or returns nil for control characters that are not keys.
    fileprivate init?(scalar: UInt32) {
        switch scalar {
        case 0x0A, 0x0D: self = .enter
        case 0x08, 0x7F: self = .backspace
        case 0x09: self = .control("i")
        case 0x01...0x1A:
            self = .control(Character(Unicode.Scalar(UInt8(scalar) + 0x60)))
        case 0x20...0x7E, 0xA0...:
            guard let character = Unicode.Scalar(scalar) else { return nil }
            self = .character(Character(character))
        default: return nil
        }
    }
}
