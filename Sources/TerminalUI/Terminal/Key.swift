/// A key of the keyboard.
public enum Key: Hashable, Sendable {
    /// A printable character.
    case character(Character)
    /// Arrow keys.
    case up, down, left, right
    /// Page Up and Page Down.
    case pageUp, pageDown
    /// Home and End.
    case home, end
    /// Return, or Enter on the keypad.
    case enter
    /// Escape.
    case escape
    /// Backspace.
    case backspace
    /// Delete, which removes the character at the cursor.
    case delete
    /// A function key, starting with 1.
    case function(Int)
    /// Control with a lowercase letter: `control("l")`.
    case control(Character)
    /// Alt with another key: `alt(.character("c"))`.
    indirect case alt(Key)
}

extension Key {
    /// The name of the key, as displayed in messages.
    package var name: String {
        switch self {
        case .character(let character): character == " " ? "Space" : String(character)
        case .control(let character): "^" + character.uppercased()
        case .up, .down, .left, .right, .home, .end, .enter, .backspace: "\(self)"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .escape: "Esc"
        case .delete: "Del"
        case .function(let number): "F\(number)"
        case .alt(let key): "Alt-\(key.name)"
        }
    }
}

/// An input event from the terminal.
package enum InputEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// A mouse event.
    case mouse(Mouse)
    /// Pasted text, which is never interpreted as commands.
    case paste(String)
}

/// A mouse event; row and column start at 0.
package enum Mouse: Hashable, Sendable {
    /// The left button was pressed.
    case press(row: Int, column: Int)
    /// The left button was double-clicked.
    case doublePress(row: Int, column: Int)
    /// The mouse was moved with the left button pressed.
    case drag(row: Int, column: Int)
    /// The middle button was pressed, or the mouse was moved with the middle button pressed.
    case middle(row: Int, column: Int)
    /// The right button was pressed.
    case right(row: Int, column: Int)
    /// The wheel scrolled up.
    case wheelUp
    /// The wheel scrolled down.
    case wheelDown
}
