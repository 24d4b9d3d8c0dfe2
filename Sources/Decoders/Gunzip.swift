internal import CImageCodecs

/// Inflates gzip files (RFC 1952) up to a size limit.
enum Gunzip {
    /// The first three bytes of a gzip file; the third is the compression method, which is always
    /// deflate.
    static let signature: [UInt8] = [0x1F, 0x8B, 8]

    /// Returns the inflated document if `file` is a gzip-compressed SVG; otherwise nil.
    ///
    /// Throws if the file is damaged or the document has more than `limit` bytes.
    static func text(
        in file: UnsafeBufferPointer<UInt8>,
        of format: ImageFormat,
        limit: Int
    ) throws(ImageDecodingError) -> [UInt8]? {
        guard format == .svg, file.starts(with: signature) else { return nil }
        // Inflates one byte more than the limit to detect longer documents.
        let (text, status) = inflate(file, byteCount: limit + 1)
        guard text.count <= limit else {
            throw .tooMuchMemory(byteCount: text.count, limit: limit)
        }
        switch status {
        case .end: break
        case .out_of_memory: throw .tooMuchMemory(byteCount: limit, limit: limit)
        case .corrupt: throw .corrupt(format, "invalid gzip data")
        case .ok, .truncated, .unsupported, .empty: throw .truncated(format)
        }
        guard !text.starts(with: signature) else { throw .corrupt(format, "gzip in gzip") }
        return text
    }

    /// Inflates up to `byteCount` bytes; the status is `end` if the file is complete.
    static func inflate(
        _ file: UnsafeBufferPointer<UInt8>,
        byteCount: Int
    ) -> (bytes: [UInt8], status: cic_status) {
        guard let inflater = cic_gzip_inflater_create() else { return ([], .out_of_memory) }
        defer { cic_gzip_inflater_destroy(inflater) }
        return Inflation.run(file, byteCount: byteCount) {
            cic_gzip_inflater_continue(inflater, &$0)
        }
    }
}

/// Inflates zlib streams (RFC 1950) up to a size limit.
enum ZlibStream {
    /// Returns the inflated bytes, or nil if the stream is damaged or has more than `limit` bytes.
    static func inflated(_ stream: UnsafeBufferPointer<UInt8>, limit: Int) -> [UInt8]? {
        guard let inflater = cic_inflater_create() else { return nil }
        defer { cic_inflater_destroy(inflater) }
        let (bytes, status) = Inflation.run(stream, byteCount: limit + 1) {
            cic_inflater_continue(inflater, &$0)
        }
        return status == .end && bytes.count <= limit ? bytes : nil
    }
}

/// Inflates data whose inflated size is unknown.
private enum Inflation {
    /// Inflates up to `byteCount` bytes; the status is `end` if the data is complete.
    ///
    /// `proceed` inflates until its input is used up or its output is full.
    static func run(
        _ input: UnsafeBufferPointer<UInt8>,
        byteCount: Int,
        proceed: (inout cic_inflation) -> cic_status
    ) -> (bytes: [UInt8], status: cic_status) {
        guard let start = input.baseAddress else { return ([], .truncated) }
        var bytes: [UInt8] = []
        var status = cic_status.out_of_memory
        var inflation = cic_inflation(
            input: start,
            input_count: input.count,
            output: UnsafeMutablePointer(mutating: start),
            output_count: 0
        )
        // The output grows with the data, because most files are far smaller than the limit.
        repeat {
            let room = min(byteCount - bytes.count, max(64 << 10, bytes.count))
            let part = [UInt8](unsafeUninitializedCapacity: room) { output, count in
                guard let output = output.baseAddress else { return }
                (inflation.output, inflation.output_count) = (output, room)
                status = proceed(&inflation)
                count = room - inflation.output_count
            }
            bytes += part
        } while status == .ok && inflation.output_count == 0 && bytes.count < byteCount
        return (bytes, status)
    }
}
