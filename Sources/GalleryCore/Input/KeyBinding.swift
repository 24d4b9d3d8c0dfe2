/// One line of the key table.
struct KeyBinding: Hashable, Sendable {
    /// The keys, any of which will do.
    let keys: [Key]
    /// How the keys are called in the help.
    let label: String
    let action: GalleryAction
    /// What it does, for the help; nil joins the line of the binding before.
    let help: String?

    init(_ keys: [Key], _ label: String, _ action: GalleryAction, _ help: String? = nil) {
        self.keys = keys
        self.label = label
        self.action = action
        self.help = help
    }

    init(_ character: Character, _ action: GalleryAction, _ help: String) {
        self.init([.character(character)], String(character), action, help)
    }
}
