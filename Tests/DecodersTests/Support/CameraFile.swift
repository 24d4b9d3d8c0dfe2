import Decoders

/// The EXIF block of a camera: properties of the photo, and a thumbnail.
struct CameraBlock {
    var orientation = 1
    /// The size of the photo in the block.
    var size: PixelSize?
    /// The times when the photo was taken and last changed, and when the thumbnail was made:
    /// "2026:11:23 10:00:00".
    var taken: String?
    var changed: String?
    var thumbnailMade: String?
    var thumbnailOrientation: Int?
    var thumbnail: [UInt8]

    /// Returns the block in little-endian order: three directories, the dates, the thumbnail.
    func encoded() -> [UInt8] {
        var first: [Entry] = [.number(0x0112, 3, orientation)]
        if let changed { first.append(.text(0x0132, changed)) }
        first.append(.exif)
        var exif: [Entry] = []
        if let taken { exif.append(.text(0x9003, taken)) }
        if let size { exif += [.number(0xA002, 4, size.width), .number(0xA003, 4, size.height)] }
        var second: [Entry] = [.number(0x0103, 3, 6)]
        if let thumbnailOrientation { second.append(.number(0x0112, 3, thumbnailOrientation)) }
        if let thumbnailMade { second.append(.text(0x0132, thumbnailMade)) }
        second += [.thumbnail, .number(0x0202, 4, thumbnail.count)]

        let starts = [first, exif].reduce(into: [8]) {
            $0.append($0[$0.count - 1] + Self.length($1))
        }
        var end = starts[2] + Self.length(second)
        var texts: [UInt8] = []
        let textCount = (first + exif + second).count { if case .text = $0 { true } else { false } }
        let thumbnailStart = end + textCount * 20
        func directory(_ entries: [Entry], next: Int) -> [UInt8] {
            let body = entries.flatMap { entry -> [UInt8] in
                switch entry {
                case .number(let tag, let type, let value):
                    return Self.entry(tag, type, 1, value)
                case .exif: return Self.entry(0x8769, 4, 1, starts[1])
                case .thumbnail: return Self.entry(0x0201, 4, 1, thumbnailStart)
                case .text(let tag, let text):
                    defer { end += 20 }
                    texts += Array(text.utf8) + [0]
                    return Self.entry(tag, 2, 20, end)
                }
            }
            return Self.number(entries.count, 2) + body + Self.number(next)
        }
        let directories =
            directory(first, next: starts[2]) + directory(exif, next: 0)
            + directory(second, next: 0)
        return Array("II".utf8) + Self.number(42, 2) + Self.number(8) + directories + texts
            + thumbnail
    }

    private enum Entry {
        case number(Int, Int, Int)
        case text(Int, String)
        case exif
        case thumbnail
    }

    private static func length(_ entries: [Entry]) -> Int { 2 + 12 * entries.count + 4 }

    private static func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
        number(tag, 2) + number(type, 2) + number(count) + number(value)
    }

    private static func number(_ value: Int, _ byteCount: Int = 4) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
