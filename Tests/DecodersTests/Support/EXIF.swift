/// EXIF blocks made by hand.
enum EXIF {
    /// A TIFF block with one directory whose only entry is the orientation.
    static func block(orientation: Int, isBigEndian: Bool = true, type: Int = 3) -> [UInt8] {
        func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
            let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
            return isBigEndian ? bytes.reversed() : bytes
        }
        let valueByteCount = [1: 1, 3: 2, 4: 4][type] ?? 4
        return Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
            + number(1, 2) + number(0x0112, 2) + number(type, 2) + number(1, 4)
            + number(orientation, valueByteCount)
            + Array(repeating: 0, count: 4 - valueByteCount) + number(0, 4)
    }
}
