import Decoders

/// A file that arrives in pieces.
struct ArrivingFile {
    let name: String
    let bytes: [UInt8]

    static let size = PixelSize(width: 480, height: 360)

    /// One file of each kind, with enough pixels for the DC path.
    static let all: [ArrivingFile] = [
        .init(name: "baseline JPEG", bytes: jpeg(isProgressive: false)),
        .init(name: "progressive JPEG", bytes: jpeg(isProgressive: true)),
        .init(name: "plain PNG", bytes: png(isInterlaced: false)),
        .init(name: "interlaced PNG", bytes: png(isInterlaced: true)),
    ]

    static var progressive: ArrivingFile { all[1] }

    /// The ends of the scans in order: the position of the marker after each scan.
    var scanEnds: [Int] {
        var ends: [Int] = []
        var isData = false
        for offset in bytes.indices.dropLast() where bytes[offset] == 0xFF {
            let marker = bytes[offset + 1]
            guard marker != 0, !(0xD0...0xD7).contains(marker), marker != 0xFF else { continue }
            if isData { ends.append(offset) }
            isData = marker == 0xDA
        }
        return ends
    }

    func prefix(_ count: Int) -> [UInt8] { Array(bytes.prefix(count)) }

    /// Returns the bytes in pieces of random length.
    func chunks(upTo limit: Int, using random: inout SeededGenerator) -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...limit, using: &random)
            chunks.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return chunks
    }

    static func options(_ side: Int?) -> DecodingOptions {
        DecodingOptions(targetSize: side.map { PixelSize(width: $0, height: $0) })
    }

    func picture(_ side: Int?) throws(ImageDecodingError) -> DecodedImage {
        try DecoderRegistry.standard.decode(bytes, options: Self.options(side))
    }

    /// An image without fine detail, so that early passes are sufficient to compare.
    private static let calm = PixelBuffer(width: size.width, height: size.height) { x, y in
        Pixel(UInt8(x * 255 / size.width), UInt8(y * 255 / size.height), UInt8(x &* y & 0xF))
    }

    private static let pixels = PixelBuffer(width: size.width, height: size.height) { x, y in
        Pixel(UInt8(x * 255 / size.width), UInt8(y * 255 / size.height), UInt8(x &* y & 0xFF))
    }

    private static func jpeg(isProgressive: Bool) -> [UInt8] {
        (try? JPEGEncoder.encode(pixels, quality: 90, progressive: isProgressive)) ?? []
    }

    private static func png(isInterlaced: Bool) -> [UInt8] {
        (try? PNGEncoder.encode(isInterlaced ? calm : pixels, interlaced: isInterlaced)) ?? []
    }
}
