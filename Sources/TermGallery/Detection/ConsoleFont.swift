import CLinux
import GalleryCore
import Glibc

/// Which characters the Linux console can show: 256 or 512, as its font has them.
enum ConsoleFont {
    /// The font that is loaded; nil if the process's terminal is no console of this machine.
    static func characters() -> Set<UInt32>? {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var found = [UInt16](repeating: 0, count: 8192)
        let count = clinux_console_characters(descriptor, &found, Int32(found.count))
        return count < 0 ? nil : Set(found.prefix(Int(count)).map(UInt32.init))
    }

    /// The signs that all of the usual fonts have: the kernel's own, which has those of code page 437,
    /// and Debian's (Lat15, Lat2, Uni2, CyrSlav).
    static let usualSigns: Set<Character> = [
        "■", "↓", "·", "█", "░", "┌", "┐", "└", "┘", "×", "↑", "←", "→",
    ]

    /// The signs that a console's font lacks, or may lack.
    static func missingSigns(_ font: Set<UInt32>?) -> Set<Character> {
        Set(ScreenCapabilities.signs).filter { !has($0, font) }
    }

    /// Whether pictures can be drawn in half blocks: Debian's fonts of 256 characters lack them.
    static func hasHalfBlocks(_ font: Set<UInt32>?) -> Bool {
        ["▀", "▄"].allSatisfy { has($0, font) }
    }

    private static func has(_ sign: Character, _ font: Set<UInt32>?) -> Bool {
        guard let font else { return usualSigns.contains(sign) }
        return sign.unicodeScalars.allSatisfy { font.contains($0.value) }
    }
}
