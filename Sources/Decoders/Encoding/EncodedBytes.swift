internal import CImageCodecs

/// Runs one of the C encoders and takes over what it made.
enum EncodedBytes {
    /// The bytes `encode` makes of `pixels`, whose sides may be at most `maximumSide`.
    static func make(
        _ format: ImageFormat,
        from pixels: PixelBuffer,
        maximumSide: Int,
        encode: (cic_picture, inout cic_buffer) -> cic_status
    ) throws(ImageEncodingError) -> [UInt8] {
        let size = pixels.size
        guard !size.isEmpty else { throw .empty }
        guard max(size.width, size.height) <= maximumSide else { throw .tooLarge(size) }
        var output = cic_buffer()
        defer { cic_buffer_free(&output) }
        let status = pixels.bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { start in
                let size = cic_size(width: UInt32(size.width), height: UInt32(size.height))
                return encode(cic_picture(pixels: start, size: size), &output)
            } ?? .empty
        }
        guard status == .ok else { throw .failed(format, message(of: output)) }
        return Array(UnsafeBufferPointer(start: output.bytes, count: output.count))
    }

    private static func message(of output: cic_buffer) -> String {
        withUnsafeBytes(of: output.message) { message in
            String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
