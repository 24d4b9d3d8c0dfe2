extension KeyTable {
    /// Marking, labelling, and what is done with what was chosen; in the grid and in an open picture.
    static let choose: [KeyBinding] = [
        KeyBinding([.character("m")], "m  M", .toggleMark, "mark, mark a range"),
        KeyBinding([.character("M")], "", .markRange),
        KeyBinding("U", .unmarkAll, "unmark all"),
        KeyBinding([.character("L")], "L", .toggleLabelMode, "1 to 9 label, 0 removes"),
        KeyBinding("u", .undo, "undo marks and labels"),
        KeyBinding("i", .information, "information about it"),
        KeyBinding("o", .openOutside, "open in another program"),
        KeyBinding("y", .copyAddress, "copy the address"),
        KeyBinding("w", .save, "save here"),
        KeyBinding("D", .trash, "delete to the trash (asks)"),
        KeyBinding([.character("!")], "!  |", .runCommand(asLines: false), "command on the marked"),
        KeyBinding([.character("|")], "", .runCommand(asLines: true)),
    ]
}
