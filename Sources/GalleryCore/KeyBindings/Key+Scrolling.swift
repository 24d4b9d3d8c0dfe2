import TerminalUI

extension Key {
    /// Returns the first visible line after a key press, or nil if the key does not scroll.
    func scrolled(from line: Int, page: Int) -> Int? {
        switch self {
        case .down, .character("j"): line + 1
        case .up, .character("k"): line - 1
        case .pageDown, .character(" "), .control("f"): line + page
        case .pageUp, .control("b"): line - page
        case .home, .character("g"): 0
        case .end, .character("G"): .max
        default: nil
        }
    }
}
