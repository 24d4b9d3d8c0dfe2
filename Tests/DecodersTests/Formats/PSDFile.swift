/// Writes small Photoshop documents.
struct PSDFile {
    /// The values of the color mode field.
    enum Mode {
        static let bitmap = 0
        static let gray = 1
        static let indexed = 2
        static let rgb = 3
        static let cmyk = 4
        static let multichannel = 7
        static let duotone = 8
        static let lab = 9
    }

    var mode = Mode.rgb
    var width = 2
    /// The samples of each row of each channel, as bytes.
    var channels: [[[UInt8]]]
    var depth = 8
    var isLarge = false
    var colorData: [UInt8] = []
    var resources: [(id: Int, data: [UInt8])] = []
    /// The layers, without the length before them.
    var layers: [UInt8] = []
    /// The compression field: 1 for run lengths.
    var compression = 0
    var channelCount: Int?

    /// Layers whose negative number declares transparency; large documents have longer lengths.
    static func transparency(isLarge: Bool = false) -> [UInt8] {
        RAWFile.big(2, isLarge ? 8 : 4) + [0xFF, 0xFF]
    }

    /// The same for 16-bit channels: no layers, no mask, and the layers in a block.
    static func deepTransparency(isLarge: Bool = false) -> [UInt8] {
        let size = isLarge ? 8 : 4
        let other = Array("8BIMPatt".utf8) + RAWFile.big(3) + [1, 2, 3, 0]
        return RAWFile.big(0, size) + RAWFile.big(0) + other + Array("8BIMLr16".utf8)
            + RAWFile.big(2, size) + [0xFF, 0xFF, 0, 0]
    }

    var bytes: [UInt8] {
        let height = channels.first?.count ?? 0
        var bytes = Array("8BPS".utf8) + RAWFile.big(isLarge ? 2 : 1, 2)
        bytes += [UInt8](repeating: 0, count: 6)
        bytes += RAWFile.big(channelCount ?? channels.count, 2)
        bytes += RAWFile.big(height) + RAWFile.big(width)
        bytes += RAWFile.big(depth, 2) + RAWFile.big(mode, 2)
        bytes += RAWFile.big(colorData.count) + colorData
        let resources = resources.flatMap(Self.resource)
        bytes += RAWFile.big(resources.count) + resources
        bytes += RAWFile.big(layers.count, isLarge ? 8 : 4) + layers
        return bytes + RAWFile.big(compression, 2) + imageData
    }

    /// Returns a resource named "abc".
    private static func resource(_ id: Int, _ data: [UInt8]) -> [UInt8] {
        let header = Array("8BIM".utf8) + RAWFile.big(id, 2) + [3] + Array("abc".utf8)
        let padding: [UInt8] = data.count.isMultiple(of: 2) ? [] : [0]
        return header + RAWFile.big(data.count) + data + padding
    }

    private var imageData: [UInt8] {
        let rows = Array(channels.joined())
        guard compression == 1 else { return Array(rows.joined()) }
        let packed = rows.map(Self.packed)
        return packed.flatMap { RAWFile.big($0.count, isLarge ? 4 : 2) } + packed.joined()
    }

    /// Returns the run lengths of a row: equal bytes as runs, others one by one, and a byte that
    /// decoders skip.
    private static func packed(_ row: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = [0x80]
        var index = 0
        while index < row.count {
            let count = row[index...].prefix(128).prefix { $0 == row[index] }.count
            packed += count > 1 ? [UInt8(257 - count), row[index]] : [0, row[index]]
            index += count
        }
        return packed
    }
}
