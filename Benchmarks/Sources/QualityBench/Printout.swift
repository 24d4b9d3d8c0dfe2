import Peers
import PrintedArt

/// What a program printed of a picture, read back from its escape sequences.
enum Printout {
    /// Nil if the program failed, or printed what can't be read as a picture.
    static func of(_ path: String, by program: Program) -> PrintedPicture? {
        guard let run = ChildRun(program, [path], keepsOutput: true), run.exitStatus == 0 else {
            return nil
        }
        let screen = Screen(showing: run.output)
        guard screen.unknown.isEmpty else { return nil }
        return PrintedPicture(screen)
    }
}
