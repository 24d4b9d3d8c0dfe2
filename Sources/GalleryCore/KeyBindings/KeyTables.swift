import TerminalUI

/// The key tables of a gallery, including the user's changes.
struct KeyTables: Sendable {
    let grid: KeyTable
    let detail: KeyTable
    /// All key bindings with their current keys, in the groups shown in the help.
    let groups: [KeyGroup]

    static let standard = KeyTables(
        grid: .grid,
        detail: .detail,
        groups: KeyTable.groups
    )

    private init(grid: KeyTable, detail: KeyTable, groups: [KeyGroup]) {
        (self.grid, self.detail, self.groups) = (grid, detail, groups)
    }

    init(_ changes: KeyChanges) {
        guard !changes.keys.isEmpty else {
            self = .standard
            return
        }
        grid = KeyTable.grid.changed(by: changes)
        detail = KeyTable.detail.changed(by: changes)
        let (grid, detail) = (grid, detail)
        groups = KeyTable.groups.map { group in
            // Groups that both views share are shown with the keys of the grid.
            let isOfGrid = group.bindings.allSatisfy(KeyTable.grid.bindings.contains)
            return group.shown(with: isOfGrid ? grid : detail)
        }
    }
}

extension KeyTables {
    /// Returns the name of the key for an action, for use in a message.
    ///
    /// Returns an empty string if the action has no key.
    func name(of action: GalleryAction) -> String {
        let bindings = grid.bindings + detail.bindings
        return bindings.first { $0.action == action }?.keys.first?.helpName ?? ""
    }

    /// Returns a hint such as "; r retries" to append to a message.
    ///
    /// Returns an empty string if the action has no key.
    func hint(_ action: GalleryAction, _ does: String) -> String {
        let key = name(of: action)
        return key.isEmpty ? "" : "; \(key) \(does)"
    }
}

extension KeyTable {
    /// Returns the table with the user's changes applied.
    ///
    /// A key that is assigned to an action is removed from all other actions.
    fileprivate func changed(by changes: KeyChanges) -> KeyTable {
        let taken = bindings.reduce(into: [Key: GalleryAction]()) { taken, binding in
            for key in changes.keys[binding.action.configurationName] ?? [] {
                taken[key] = binding.action
            }
        }
        return KeyTable(
            bindings.map { binding in
                let own = changes.keys[binding.action.configurationName]
                let keys =
                    own ?? binding.keys.filter { (taken[$0] ?? binding.action) == binding.action }
                return binding.with(keys: keys)
            }
        )
    }
}

extension KeyGroup {
    /// Returns the group with the keys from `table`.
    ///
    /// If any key of a help line was changed, the line shows the names of all of its current keys.
    fileprivate func shown(with table: KeyTable) -> KeyGroup {
        var lines: [[KeyBinding]] = []
        for binding in bindings {
            if binding.help != nil || lines.isEmpty {
                lines.append([binding])
            } else {
                lines[lines.count - 1].append(binding)
            }
        }
        return KeyGroup(title, lines.flatMap { Self.shown($0, with: table) })
    }

    private static func shown(_ line: [KeyBinding], with table: KeyTable) -> [KeyBinding] {
        let now = line.map { binding in
            table.bindings.first { $0.action == binding.action && $0.help == binding.help }
                ?? binding
        }
        guard let first = now.first, now.map(\.keys) != line.map(\.keys) else { return line }
        let names = now.flatMap(\.keys).map(\.helpName)
        let label = names.isEmpty ? "no key" : names.joined(separator: " ")
        return [first.with(label: label)] + now.dropFirst()
    }
}

extension KeyBinding {
    fileprivate func with(keys: [Key]) -> KeyBinding {
        KeyBinding(keys, label, action, help)
    }

    fileprivate func with(label: String) -> KeyBinding {
        KeyBinding(keys, label, action, help)
    }
}
