/// The position and the properties of a JPEG file inside another file.
struct JPEGRange {
    let bytes: Range<Int>
    let properties: ImageProperties

    /// The number of bytes at the start of a JPEG that are searched for its header.
    private static let headerByteCount = 1 << 20

    /// Finds the JPEG file at the offset `start` of `file`; returns nil if none starts there.
    ///
    /// The range ends at the end of the file at the latest. If `byteCount` is too large, the rest
    /// is harmless because a JPEG ends with a marker.
    init?(in file: UnsafeBufferPointer<UInt8>, from start: Int, byteCount: Int?) {
        guard start > 0, start < file.count else { return nil }
        bytes = start..<min(file.count, start.saturatingAdd(max(0, byteCount ?? file.count)))
        let header = UnsafeBufferPointer(rebasing: file[bytes].prefix(Self.headerByteCount))
        guard let properties = JPEGDecoder().plainHeader(header) else { return nil }
        self.properties = properties
    }
}
