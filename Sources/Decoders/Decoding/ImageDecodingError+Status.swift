internal import CImageCodecs

extension ImageDecodingError {
    /// The error behind a codec's status, or nil if it is none.
    ///
    /// Running out of memory inside of a codec is rare, because what a decode holds is added up
    /// before it starts; how much was asked for is not told, so the limit stands for it.
    init?(
        _ status: cic_status,
        of format: ImageFormat,
        message: UnsafePointer<CChar>,
        memoryLimit: Int
    ) {
        switch status {
        case .ok, .end: return nil
        case .truncated: self = .truncated(format)
        case .corrupt: self = .corrupt(format, String(cString: message))
        case .unsupported: self = .unsupportedFeature(format, String(cString: message))
        case .empty: self = .empty
        case .out_of_memory:
            self = .tooMuchMemory(byteCount: memoryLimit, limit: memoryLimit)
        }
    }
}
