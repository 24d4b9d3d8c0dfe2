/// Methods that skip bytes before the start of a JPEG.
extension JPEGDecoder {
    /// The maximum number of bytes before the signature.
    private static let maximumPaddingByteCount = 512

    private static func isPadding(_ byte: UInt8) -> Bool {
        byte == 0 || byte == 0x0A || byte == 0x0D
    }

    /// Returns the file without line breaks and zeros before the start marker.
    ///
    /// Returns the entire file if it does not start with such bytes, which is nearly always the
    /// case.
    static func withoutPadding(_ file: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        guard let first = file.first, isPadding(first),
            let start = file.prefix(maximumPaddingByteCount).firstIndex(where: { !isPadding($0) })
        else { return file }
        return UnsafeBufferPointer(rebasing: file[start...])
    }

    /// Returns whether the file starts with the start marker and another marker, each possibly
    /// preceded by line breaks and zeros.
    static func isPadded(_ file: UnsafeBufferPointer<UInt8>) -> Bool {
        let image = withoutPadding(file)
        guard image.starts(with: [0xFF, 0xD8]) else { return false }
        let rest = image.dropFirst(2).prefix(maximumPaddingByteCount)
        return rest.first { !isPadding($0) } == 0xFF
    }
}
