/// The JPEG previews of a camera's RAW file, of which the largest is the image.
struct RAWPreviews {
    let file: UnsafeBufferPointer<UInt8>
    /// The orientation of the image, for previews that specify none.
    var orientation = Orientation.upright
    /// The size of the image that the sensor data contains, or an empty size if it is unknown.
    var sensorSize = PixelSize(width: 0, height: 0)
    /// Whether the file ends before one of its previews or before the data that locates it.
    private(set) var isCut = false
    private var largest: JPEGRange?

    init(_ file: UnsafeBufferPointer<UInt8>) { self.file = file }

    /// The largest preview, or nil if the file contains none.
    ///
    /// As in a TIFF file, a preview with less than a quarter of the sensor's pixels is a thumbnail.
    var page: TIFFPages.Page? {
        guard let largest else { return nil }
        var page = TIFFPages.Page(largest, orientation: orientation)
        page.isStamp = page.isStamp(of: sensorSize)
        return page
    }

    /// Adds the preview at the offset `start`.
    ///
    /// Ignores the preview if it is empty or not a JPEG file. Of equally large previews, the first
    /// one is used.
    mutating func add(from start: Int, byteCount: Int) {
        guard start > 0, byteCount > 0 else { return }
        guard let found = JPEGRange(in: file, from: start, byteCount: byteCount) else {
            if start.saturatingAdd(byteCount) > file.count { isCut = true }
            return
        }
        let size = found.properties.size
        if size.pixelCount > largest?.properties.size.pixelCount ?? 0 { largest = found }
    }

    /// Records that the file ends before the data that locates a preview.
    mutating func setCut() { isCut = true }
}

/// Fujifilm's RAF.
///
///     0 "FUJIFILMCCD-RAW " | … | 84 offset (32) and length (32) of the preview
///     | 92 offset (32) and length (32) of the records
///     records: number (32) | tag (16), length (16) and data of each
///
/// Numbers in parentheses are sizes in bits; all numbers are big-endian. The preview is a JPEG file
/// with EXIF data, including the orientation.
extension RAWPreviews {
    private static let previewOffset = 84
    private static let recordsOffset = 92
    private static let maximumRecordCount = 256
    /// The tag of the sensor's height and width, 16 bits each.
    private static let sizeTag = 0x100

    mutating func findInHeader() {
        let file = BigEndianBuffer(bytes: file)
        guard let start = file.uint32(at: Self.previewOffset),
            let byteCount = file.uint32(at: Self.previewOffset + 4)
        else { return setCut() }
        sensorSize = Self.recordedSize(in: file) ?? sensorSize
        add(from: start, byteCount: byteCount)
    }

    private static func recordedSize(in file: BigEndianBuffer) -> PixelSize? {
        guard let start = file.uint32(at: recordsOffset), let count = file.uint32(at: start) else {
            return nil
        }
        var offset = start + 4
        for _ in 0..<min(count, maximumRecordCount) {
            guard let tag = file.uint16(at: offset), let length = file.uint16(at: offset + 2) else {
                return nil
            }
            if tag == sizeTag {
                guard let height = file.uint16(at: offset + 4),
                    let width = file.uint16(at: offset + 6)
                else { return nil }
                return PixelSize(width: width, height: height)
            }
            offset += 4 + length
        }
        return nil
    }
}
