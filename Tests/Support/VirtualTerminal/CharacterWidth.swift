/// How many cells a character takes: the parts of Unicode's East Asian Width that tests use.
enum CharacterWidth {
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
        0x20000...0x3FFFD,
    ]
    private static let combining: [ClosedRange<UInt32>] = [
        0x0300...0x036F, 0x200B...0x200F, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F,
    ]

    static func of(_ scalar: UInt32) -> Int {
        if scalar < 0x300 { return 1 }
        if combining.contains(where: { $0.contains(scalar) }) { return 0 }
        return wide.contains { $0.contains(scalar) } ? 2 : 1
    }
}
