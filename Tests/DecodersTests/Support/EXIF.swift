/// EXIF blocks made by hand.
enum EXIF {
    /// Returns a TIFF block with one directory whose only entry is the orientation.
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

    /// The offsets in a block with a thumbnail.
    enum Place {
        static let first = 8
        static let firstNext = 22
        static let second = 26
        static let thumbnail = 26 + 2 + 3 * 12 + 4
    }

    /// Returns a block (little endian) with an orientation, and a thumbnail in the second
    /// directory.
    static func block(orientation: Int, thumbnail: [UInt8]) -> [UInt8] {
        func number(_ value: Int, _ byteCount: Int = 4) -> [UInt8] {
            (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        func entry(_ tag: Int, _ type: Int, _ value: Int) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(1) + number(value)
        }
        let first = number(1, 2) + entry(0x0112, 3, orientation) + number(Place.second)
        let second =
            number(3, 2) + entry(0x0103, 3, 6) + entry(0x0201, 4, Place.thumbnail)
            + entry(0x0202, 4, thumbnail.count) + number(0)
        return Array("II".utf8) + number(42, 2) + number(Place.first) + first + second + thumbnail
    }

    /// Returns `file` with a block inserted after the start marker.
    static func insert(_ block: [UInt8], into file: [UInt8]) -> [UInt8] {
        file.prefix(2) + ICCParts.segment(0xE1, Array("Exif\0\0".utf8) + block) + file.dropFirst(2)
    }
}
