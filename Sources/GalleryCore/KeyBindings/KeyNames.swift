package import TerminalUI

/// Names of keys in a configuration, such as "j", "ctrl-d" and "page-down".
extension Key {
    /// Creates a key from its name, or returns nil if the name is unknown.
    ///
    /// Names are case-insensitive, except for single characters.
    package init?(configurationName name: String) {
        if name.count == 1, let character = name.first, Self.isTyped(character) {
            self = .character(character)
            return
        }
        let lower = name.lowercased()
        if let key = Self.named[lower] {
            self = key
            return
        }
        if lower.first == "f", let number = Int(lower.dropFirst()), (1...12).contains(number),
            lower == "f\(number)"
        {
            self = .function(number)
            return
        }
        if lower.hasPrefix("alt-") {
            guard let key = Key(configurationName: String(name.dropFirst(4))) else { return nil }
            self = .alt(key)
            return
        }
        let letter = ["ctrl-", "c-", "^"].lazy
            .compactMap { lower.hasPrefix($0) ? lower.dropFirst($0.count) : nil }.first
        guard let letter, letter.count == 1, let character = letter.first,
            ("a"..."z").contains(character)
        else { return nil }
        // Terminals send Enter for Control-M and Control-J.
        self = character == "m" || character == "j" ? .enter : .control(character)
    }

    /// Returns whether a character can be the name of a key.
    ///
    /// Control characters and combining marks, for example, can't.
    private static func isTyped(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
                .paragraphSeparator, .nonspacingMark, .enclosingMark:
                false
            default: true
            }
        }
    }

    private static let named: [String: Key] = [
        "up": .up, "down": .down, "left": .left, "right": .right,
        "page-up": .pageUp, "pageup": .pageUp, "pgup": .pageUp,
        "page-down": .pageDown, "pagedown": .pageDown, "pgdn": .pageDown,
        "home": .home, "end": .end, "enter": .enter, "return": .enter,
        "escape": .escape, "esc": .escape, "backspace": .backspace,
        "space": .character(" "), "tab": .control("i"), "delete": .delete,
    ]

    /// The name of the key as shown in messages and in the help.
    var helpName: String {
        switch self {
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        case .control("i"): "Tab"
        case .home: "Home"
        case .end: "End"
        case .enter: "Enter"
        case .backspace: "Backspace"
        case .character, .pageUp, .pageDown, .escape, .delete, .control, .function, .alt: name
        }
    }
}

extension GalleryAction {
    /// The name of the action in a configuration, such as "zoom-in".
    ///
    /// The name of a movement is its direction or distance, such as "page-down".
    var configurationName: String {
        let name: String
        switch self {
        case .move(let movement): name = "\(movement)"
        case .runCommand(let asLines): name = asLines ? "pipeToCommand" : "runCommand"
        default: name = "\(self)"
        }
        var words = ""
        for character in name {
            if character.isUppercase { words.append("-") }
            words.append(contentsOf: character.lowercased())
        }
        return words
    }
}

/// The user's changes to the default keys.
package struct KeyChanges: Hashable, Sendable {
    /// The keys for each action name.
    ///
    /// An empty array removes all keys of the action.
    package var keys: [String: [Key]]

    /// Creates key changes from the keys for each action name.
    ///
    /// By default, no keys are changed.
    package init(_ keys: [String: [Key]] = [:]) {
        self.keys = keys
    }

    /// The names of all actions that can have a key.
    package static var actionNames: [String] {
        var names: [String] = []
        for binding in KeyTable.groups.flatMap(\.bindings) {
            let name = binding.action.configurationName
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Two actions that are assigned the same key in the same view, or nil if there is no conflict.
    package var conflict: (key: String, first: String, second: String)? {
        for table in [KeyTable.grid, KeyTable.detail] {
            var owners: [Key: String] = [:]
            for binding in table.bindings {
                let name = binding.action.configurationName
                for key in keys[name] ?? [] {
                    if let other = owners[key], other != name { return (key.helpName, other, name) }
                    owners[key] = name
                }
            }
        }
        return nil
    }
}
