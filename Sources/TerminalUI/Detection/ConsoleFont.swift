import CLinux
import Glibc

/// The characters in the Linux console's font, which contains 256 or 512 characters.
enum ConsoleFont {
    /// Returns the characters in the loaded font, or nil if the process's terminal is not a console
    /// of this machine.
    package static func characters() -> Set<UInt32>? {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var found = [UInt16](repeating: 0, count: 8192)
        let count = clinux_console_characters(descriptor, &found, Int32(found.count))
        return count < 0 ? nil : Set(found.prefix(Int(count)).map(UInt32.init))
    }

    /// The symbols that all common fonts contain.
    ///
    /// The common fonts are the kernel's own font, which covers code page 437, and Debian's fonts
    /// (Lat15, Lat2, Uni2, CyrSlav).
    static let usualSigns: Set<Character> = [
        "■", "↓", "·", "█", "░", "┌", "┐", "└", "┘", "×", "↑", "←", "→",
    ]

    /// Returns the symbols of `ScreenCapabilities.signs` that are missing from a console's font.
    ///
    /// If the font is unknown, returns all symbols that are not in `usualSigns`.
    static func missingSigns(_ font: Set<UInt32>?) -> Set<Character> {
        Set(ScreenCapabilities.signs).filter { !has($0, font) }
    }

    /// Returns whether the font has half blocks for drawing images.
    ///
    /// Debian's fonts with 256 characters do not contain half blocks.
    static func hasHalfBlocks(_ font: Set<UInt32>?) -> Bool {
        ["▀", "▄"].allSatisfy { has($0, font) }
    }

    private static func has(_ sign: Character, _ font: Set<UInt32>?) -> Bool {
        guard let font else { return usualSigns.contains(sign) }
        return sign.unicodeScalars.allSatisfy { font.contains($0.value) }
    }
}
