import ArgumentParser

/// The value of `--cache-dir`.
enum CacheFolderArgument {
    /// Refuses the empty name, as an unset shell variable makes it: it would be the current folder.
    static func validate(_ folder: String?) throws {
        guard folder?.isEmpty != true else {
            throw ValidationError("--cache-dir takes the name of a folder.")
        }
    }
}
