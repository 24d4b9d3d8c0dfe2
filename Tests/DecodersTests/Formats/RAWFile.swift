import Decoders

/// Writes small RAW files of cameras, without sensor data.
enum RAWFile {
    /// Returns a gray JPEG of this size.
    static func jpeg(width: Int, height: Int, level: UInt8 = 90) throws -> [UInt8] {
        let size = PixelSize(width: width, height: height)
        let pixel: [UInt8] = [level, level, level, 255]
        let bytes = Array(repeatElement(pixel, count: size.pixelCount).joined())
        let pixels = PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
        return try JPEGEncoder.encode(pixels, quality: 90)
    }

    /// Returns the bytes of a big-endian number.
    static func big(_ value: Int, _ byteCount: Int = 4) -> [UInt8] {
        TIFFFile.number(value, byteCount).reversed()
    }

    /// Returns an RAF file whose preview follows the header and a record of the sensor's size.
    static func raf(preview: [UInt8], sensor: PixelSize, offset: Int? = nil) -> [UInt8] {
        let headerByteCount = 108
        let size = big(sensor.height, 2) + big(sensor.width, 2)
        let records = big(1) + big(0x100, 2) + big(size.count, 2) + size
        let start = headerByteCount + records.count
        var header = Array("FUJIFILMCCD-RAW 0201".utf8)
        header += [UInt8](repeating: 0, count: 84 - header.count)
        header += big(offset ?? start) + big(preview.count)
        header += big(headerByteCount) + big(records.count) + big(0) + big(0)
        return header + records + preview
    }

    /// An entry of a directory: tag, type, count and value.
    typealias Entry = (tag: Int, type: Int, count: Int, value: Int)

    /// Returns a little-endian directory.
    static func directory(_ entries: [Entry], next: Int = 0) -> [UInt8] {
        let bytes = entries.flatMap { entry in
            TIFFFile.number(entry.tag, 2) + TIFFFile.number(entry.type, 2)
                + TIFFFile.number(entry.count) + TIFFFile.number(entry.value)
        }
        return TIFFFile.number(entries.count, 2) + bytes + TIFFFile.number(next)
    }

    /// Returns an RW2 file whose first directory contains the preview.
    static func rw2(
        preview: [UInt8],
        sensor: PixelSize,
        orientation: Int = 1,
        offset: Int? = nil
    ) -> [UInt8] {
        let start = 8 + 2 + 4 * 12 + 4
        let entries: [Entry] = [
            (0x02, 3, 1, sensor.width), (0x03, 3, 1, sensor.height),
            (0x2E, 7, preview.count, offset ?? start), (0x112, 3, 1, orientation),
        ]
        return Array("IIU\0".utf8) + TIFFFile.number(8) + directory(entries) + preview
    }

    /// The images of an ORF or CR3 file.
    struct Images {
        var preview: [UInt8]
        var thumbnail: [UInt8]
        /// The JPEG of full size in a CR3 file.
        var full: [UInt8] = []
        var size: PixelSize
        var orientation = 1
    }

    /// Returns an ORF file with a thumbnail in the second directory and a preview that the maker's
    /// note locates.
    static func orf(
        _ images: Images,
        magic: String = "IIRO",
        note signature: String = "OLYMPUS\0II\u{3}\0",
        offset: Int? = nil
    ) -> [UInt8] {
        let exifStart = 8 + 2 + 4 * 12 + 4
        let secondStart = exifStart + 2 + 12 + 4
        let noteStart = secondStart + 2 + 2 * 12 + 4
        let signature = Array(signature.utf8)
        let settingsOffset = signature.count + 2 + 12 + 4
        let noteByteCount = settingsOffset + 2 + 2 * 12 + 4
        let thumbnailStart = noteStart + noteByteCount
        let previewOffset = noteByteCount + images.thumbnail.count
        let first = directory(
            [
                (256, 4, 1, images.size.width), (257, 4, 1, images.size.height),
                (274, 3, 1, images.orientation), (0x8769, 4, 1, exifStart),
            ],
            next: secondStart
        )
        let second = directory([
            (513, 4, 1, thumbnailStart), (514, 4, 1, images.thumbnail.count),
        ])
        let settings = directory([
            (0x101, 4, 1, offset ?? previewOffset), (0x102, 4, 1, images.preview.count),
        ])
        let exif = directory([(0x927C, 7, noteByteCount, noteStart)])
        return Array(magic.utf8) + TIFFFile.number(8) + first + exif + second + signature
            + directory([(0x2020, 13, 1, settingsOffset)]) + settings + images.thumbnail
            + images.preview
    }

    /// Returns a box of an ISO base media file.
    static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        big(8 + content.count) + Array(type.utf8) + content
    }

    static func uuid(_ uuid: [UInt8], _ content: [UInt8]) -> [UInt8] { box("uuid", uuid + content) }

    static let metadataUUID: [UInt8] = [
        0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A,
        0x48,
    ]
    static let previewUUID: [UInt8] = [
        0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D,
        0x16,
    ]

    /// Returns a CR3 file whose last track, of sensor data, is missing.
    ///
    /// If `isLong` is true, the offset of the JPEG of full size has 64 bits and its size is in a
    /// list. `offset` replaces this offset.
    static func cr3(_ images: Images, isLong: Bool = true, offset: Int? = nil) -> [UInt8] {
        let type = box("ftyp", Array("crx ".utf8) + big(1) + Array("crx isom".utf8))
        let preview = uuid(
            previewUUID,
            big(0) + big(1) + box("PRVW", [UInt8](repeating: 0, count: 16) + images.preview)
        )
        // The number of bytes does not depend on the offset.
        let end = type.count + movie(images, isLong, 0).count + preview.count + 8
        return type + movie(images, isLong, offset ?? end) + preview + box("mdat", images.full)
    }

    private static func movie(_ images: Images, _ isLong: Bool, _ offset: Int) -> [UInt8] {
        let exif =
            Array("II*\0".utf8) + TIFFFile.number(8)
            + directory([
                (256, 3, 1, images.size.width), (257, 3, 1, images.size.height),
                (274, 3, 1, images.orientation),
            ])
        let metadata = uuid(
            metadataUUID,
            box("CMT1", exif) + box("THMB", [UInt8](repeating: 0, count: 16) + images.thumbnail)
        )
        let count = images.full.count
        let sensor = track(offset: 1 << 30, byteCount: 1 << 20, isLong)
        let full = track(offset: offset, byteCount: count, isLong)
        return box("moov", metadata + full + sensor)
    }

    /// Returns a track with one sample.
    private static func track(offset: Int, byteCount: Int, _ isLong: Bool) -> [UInt8] {
        let sizes =
            isLong
            ? big(0) + big(0) + big(1) + big(byteCount) : big(0) + big(byteCount) + big(1)
        let place =
            isLong
            ? box("co64", big(0) + big(1) + big(offset, 8))
            : box("stco", big(0) + big(1) + big(offset))
        return box("trak", box("mdia", box("minf", box("stbl", box("stsz", sizes) + place))))
    }
}
