import Peers
import PrintedArt

/// The printed image of a program, read back from its escape sequences.
enum Printout {
    /// Returns nil if the program failed, or if its output cannot be read as an image.
    static func of(_ path: String, by program: Program) -> PrintedPicture? {
        guard let run = ChildRun(program, [path], keepsOutput: true), run.exitStatus == 0 else {
            return nil
        }
        let screen = Screen(showing: run.output)
        guard screen.unknown.isEmpty else { return nil }
        return PrintedPicture(screen)
    }
}
