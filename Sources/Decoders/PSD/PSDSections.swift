/// The resources of a Photoshop document that describe its merged image.
///
///     signature (32) | ID (16) | name: length (8) and letters | length (32) and data
///
/// Names and data are padded to an even number of bytes.
struct PSDResources {
    /// The IDs of the resources that are read.
    private enum ID {
        static let profile = 1_039
        static let version = 1_057
    }

    /// The maximum number of resources that are read; Photoshop writes up to 100.
    private static let maximumCount = 1_024

    /// The position of the ICC profile, or nil if the document has none.
    private(set) var profile: Range<Int>?
    /// Whether the document was saved with a merged image ("Maximize Compatibility").
    private(set) var hasMergedImage = true
    /// The offset of the first byte after the resources.
    let end: Int

    /// Reads the resources at `start`; returns nil if the file ends before their end.
    init?(_ file: BigEndianBuffer, at start: Int) {
        guard let length = file.uint32(at: start), start + 4 + length <= file.bytes.count else {
            return nil
        }
        end = start + 4 + length
        var offset = start + 4
        for _ in 0..<Self.maximumCount {
            guard let id = file.uint16(at: offset + 4),
                let nameLength = file.number(at: offset + 6, byteCount: 1),
                case let lengthOffset = offset + 6 + (nameLength + 2) & ~1,
                let byteCount = file.uint32(at: lengthOffset),
                lengthOffset + 4 + byteCount <= end
            else { return }
            let data = (lengthOffset + 4)..<(lengthOffset + 4 + byteCount)
            read(id, data, in: file)
            offset = data.upperBound + byteCount & 1
        }
    }

    private mutating func read(_ id: Int, _ data: Range<Int>, in file: BigEndianBuffer) {
        switch id {
        case ID.profile: profile = data
        case ID.version:
            // Version (32) | whether the document has a merged image (8) | …
            if data.count > 4 { hasMergedImage = file.bytes[data.lowerBound + 4] != 0 }
        default: break
        }
    }
}

/// The layers of a Photoshop document, of which only the number is read.
///
///     length | length and number of layers (16) | length (32) and mask | more blocks
///     block: signature (32) | key (32) | length | data
///
/// Lengths without a size have 32 bits, or 64 bits in a PSB. A negative number of layers means that
/// the first channel after the colors is the opacity of the merged image. If channels have 16 or 32
/// bits, the layers are in a block.
struct PSDLayers {
    /// The maximum number of blocks that are read; Photoshop writes up to 20.
    private static let maximumBlockCount = 256
    /// The keys of the blocks that contain layers.
    private static let layerKeys: Set = ["Layr", "Lr16", "Lr32"]
    /// The keys of the blocks whose lengths have 64 bits in a PSB.
    private static let longKeys: Set = [
        "LMsk", "Lr16", "Lr32", "Layr", "Mt16", "Mt32", "Mtrn", "Alph", "FMsk", "lnk2", "FEid",
        "FXid", "PxSD",
    ]

    /// Whether the merged image has transparency.
    private(set) var hasTransparency = false
    /// The offset of the first byte after the layers.
    let end: Int
    private let file: BigEndianBuffer
    private let isLarge: Bool

    /// Reads the layers at `start`; returns nil if the file ends before the number of layers.
    init?(_ file: BigEndianBuffer, at start: Int, isLarge: Bool) {
        self.file = file
        self.isLarge = isLarge
        let lengthSize = isLarge ? 8 : 4
        guard let length = file.number(at: start, byteCount: lengthSize) else { return nil }
        let offset = start + lengthSize
        end = offset.saturatingAdd(length)
        guard length >= lengthSize else { return }
        guard let layerLength = file.number(at: offset, byteCount: lengthSize) else { return nil }
        if layerLength > 0 {
            guard let count = file.uint16(at: offset + lengthSize) else { return nil }
            hasTransparency = Self.isNegative(count)
        } else if length > lengthSize + 4 {
            readBlocks(afterMaskAt: offset + lengthSize)
        }
    }

    private static func isNegative(_ count: Int) -> Bool { count >= 0x8000 }

    private mutating func readBlocks(afterMaskAt start: Int) {
        guard let maskLength = file.uint32(at: start) else { return }
        var offset = start + 4 + maskLength
        // A length of 64 bits may lead far behind the end of the file.
        let last = min(end, file.bytes.count)
        for _ in 0..<Self.maximumBlockCount where offset < last {
            guard let key = file.text(at: offset + 4) else { return }
            let lengthSize = isLarge && Self.longKeys.contains(key) ? 8 : 4
            guard let length = file.number(at: offset + 8, byteCount: lengthSize) else { return }
            let data = offset + 8 + lengthSize
            if Self.layerKeys.contains(key), let count = file.uint16(at: data) {
                hasTransparency = Self.isNegative(count)
                return
            }
            // Blocks are padded to a multiple of 4 bytes.
            offset = data.saturatingAdd(length.saturatingAdd(3) & ~3)
        }
    }
}
