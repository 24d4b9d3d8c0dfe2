/// What a transfer reports, in this order: at most one head, any number of chunks, one end.
public enum TransferEvent: Sendable {
    /// The response's head.
    case head(TransferHead)
    /// More of the body; the array is never changed afterwards.
    case chunk([UInt8])
    /// The end: nil if all went well, else why not.
    case finished(ImageLoadingError?)
}
