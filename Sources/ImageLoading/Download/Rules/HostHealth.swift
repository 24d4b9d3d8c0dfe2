/// What the end or the head of a transfer says about its host.
enum HostHealth: Hashable, Sendable {
    /// It doesn't answer, or says that it can't.
    case failing
    /// It answers; what became of the body is another matter.
    case answering
    /// Nothing: no network, a certificate that isn't trusted, our own memory.
    case unknown

    /// `head` is nil if the transfer ended before one.
    init(head: TransferHead?, error: ImageLoadingError?) {
        if let head {
            let isUnable = head.status == 429 || (500...599).contains(head.status)
            self = isUnable ? .failing : .answering
        } else if let error, error.kind == .transient, !error.isLackOfMemory {
            self = .failing
        } else {
            self = .unknown
        }
    }
}

extension ImageLoadingError {
    /// CURLE_OUT_OF_MEMORY.
    fileprivate var isLackOfMemory: Bool { curlCode == 27 }
}
