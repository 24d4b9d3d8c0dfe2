internal import CSandbox
internal import SystemSupport

/// The command-line arguments of the process.
package enum ProcessArguments {
    /// All arguments, starting with the program's name.
    ///
    /// Bytes that are not UTF-8 are preserved as in `FileText`, unlike in `CommandLine.arguments`.
    package static var all: [String] {
        (0..<csandbox_argument_count()).map { FileText.text(cString: csandbox_argument($0)) }
    }
}
