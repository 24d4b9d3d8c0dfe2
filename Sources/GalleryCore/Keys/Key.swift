/// A key as the gallery understands it.
public enum Key: Hashable, Sendable {
    /// A printable character.
    case character(Character)
    /// Arrow keys.
    case up, down, left, right
    /// A screen up or down.
    case pageUp, pageDown
    /// Start and end.
    case home, end
    /// Return, or Enter on the keypad.
    case enter
    /// Escape.
    case escape
    /// Erases a character.
    case backspace
    /// Erases the character behind the cursor.
    case delete
    /// A key of the first row, from 1 on.
    case function(Int)
    /// Control with a letter, lower case: `control("l")`.
    case control(Character)
}

extension Key {
    /// What the key is called in a notice.
    var name: String {
        switch self {
        case .character(let character): character == " " ? "Space" : String(character)
        case .control(let character): "^" + character.uppercased()
        case .up, .down, .left, .right, .home, .end, .enter, .backspace: "\(self)"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .escape: "Esc"
        case .delete: "Del"
        case .function(let number): "F\(number)"
        }
    }
}

/// Something a person does at the terminal.
public enum InputEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// The mouse did something.
    case mouse(Mouse)
    /// Text was pasted: never a command.
    case paste(String)
}

/// A mouse event in screen coordinates, zero-based.
public enum Mouse: Hashable, Sendable {
    /// The first button went down.
    case press(row: Int, column: Int)
    /// The first button went down twice.
    case doublePress(row: Int, column: Int)
    /// The mouse moved while the first button was down.
    case drag(row: Int, column: Int)
    /// The middle button went down, or the mouse moved while it was.
    case middle(row: Int, column: Int)
    /// The wheel turned away from the person.
    case wheelUp
    /// The wheel turned towards the person.
    case wheelDown
}
