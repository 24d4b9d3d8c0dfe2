/// Canon's CR3.
///
///     ftyp | moov: uuid (CMT1: EXIF | THMB: 160 by 120 pixels), trak (full size), trak (sensor) …
///     | uuid (PRVW: 1620 by 1080 pixels) | mdat: JPEG and sensor data
///
/// The previews contain no EXIF data. Their orientation is in CMT1, a TIFF file whose first
/// directory also contains the size of the image.
extension RAWPreviews {
    private static let metadataUUID: [UInt8] = [
        0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A,
        0x48,
    ]
    private static let previewUUID: [UInt8] = [
        0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D,
        0x16,
    ]
    /// The number of bytes between the UUID of the preview and its box.
    private static let previewHeaderByteCount = 8

    mutating func findInBoxes() {
        let boxes = MediaBoxes(file: BigEndianBuffer(bytes: file))
        var hasMovie = false
        for box in boxes.boxes() {
            if box.type == "moov" {
                hasMovie = !box.isCut
                findInMovie(box.content, boxes)
            } else if let content = content(of: box, Self.previewUUID) {
                let start = content.lowerBound + Self.previewHeaderByteCount
                findInBox("PRVW", of: start..<max(start, content.upperBound), boxes)
            }
        }
        // The movie box locates the preview of full size.
        if !hasMovie { setCut() }
    }

    private mutating func findInMovie(_ movie: Range<Int>, _ boxes: MediaBoxes) {
        // Only the first track is a JPEG; the others are sensor data.
        if let track = boxes.content("trak", in: movie) { findInTrack(track, boxes) }
        for box in boxes.boxes(in: movie) {
            if let content = content(of: box, Self.metadataUUID) {
                findInBox("THMB", of: content, boxes)
                if let block = boxes.content("CMT1", in: content) { readEXIF(block) }
            }
        }
    }

    /// Returns the content of a box with this UUID, or nil if `box` has another type or UUID.
    private func content(of box: MediaBoxes.Box, _ uuid: [UInt8]) -> Range<Int>? {
        guard box.type == "uuid", file[box.content].starts(with: uuid) else { return nil }
        return box.content.dropFirst(uuid.count)
    }

    /// Adds the preview in a box.
    ///
    ///     THMB: version and flags (32) | width (16) | height (16) | length (32) | 1 (16) | 0 (16)
    ///     PRVW: version and flags (32) | 1 (16) | width (16) | height (16) | 1 (16) | length (32)
    ///
    /// The JPEG file follows these 16 bytes. The length is not needed, because a JPEG file ends
    /// with a marker.
    private mutating func findInBox(_ type: String, of container: Range<Int>, _ boxes: MediaBoxes) {
        let found = boxes.boxes(in: container).first { $0.type == type }
        guard let found else { return }
        if found.isCut, found.content.count <= Self.boxHeaderByteCount { return setCut() }
        add(
            from: found.content.lowerBound + Self.boxHeaderByteCount,
            byteCount: found.content.count - Self.boxHeaderByteCount
        )
    }

    private static let boxHeaderByteCount = 16

    /// Adds the JPEG that is the only sample of a track.
    private mutating func findInTrack(_ track: Range<Int>, _ boxes: MediaBoxes) {
        guard let table = boxes.content("mdia", "minf", "stbl", in: track),
            let sizes = boxes.content("stsz", in: table),
            let start = sampleOffset(in: table, boxes)
        else { return }
        // Version and flags (32) | size of all samples (32) or 0 | number (32) | sizes (32)
        let common = boxes.file.uint32(at: sizes.lowerBound + 4)
        let byteCount = common == 0 ? boxes.file.uint32(at: sizes.lowerBound + 12) : common
        add(from: start, byteCount: byteCount ?? 0)
    }

    /// Returns the offset of the first sample.
    ///
    ///     version and flags (32) | number (32) | offsets (32 in stco, 64 in co64)
    private func sampleOffset(in table: Range<Int>, _ boxes: MediaBoxes) -> Int? {
        if let offsets = boxes.content("co64", in: table) {
            return boxes.file.number(at: offsets.lowerBound + 8, byteCount: 8)
        }
        let offsets = boxes.content("stco", in: table)
        return offsets.flatMap { boxes.file.uint32(at: $0.lowerBound + 8) }
    }

    private mutating func readEXIF(_ block: Range<Int>) {
        let block = UnsafeBufferPointer(rebasing: file[block])
        guard let directories = TIFFDirectories(block) else { return }
        readFirstDirectory(of: directories)
    }
}
