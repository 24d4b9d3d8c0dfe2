/// The likely cause of a failed transfer: the host, other transfers, or the image itself.
///
/// A load that waits for its host may be ended only by failures of the image itself.
enum FailureBlame: Hashable, Sendable {
    /// The image did not cause the failure: the host is unreachable or rejects all requests.
    case host
    /// The image or other transfers that ran at the same time may have caused the failure.
    case company
    /// The image may have caused the failure, because the host accepted the request for it.
    case picture

    /// Derives the likely cause of a failure from the error and the state of the host.
    ///
    /// `isAlone` is true if no other transfer to the host was running. `isKnown` is true if the
    /// host has answered before, which means that its name is spelled correctly.
    /// `hasAnsweredOthers` is true if the host has answered a request since the previous failed
    /// attempt of the download. For the first attempt, answers since the start of that attempt
    /// count.
    init(
        _ error: ImageLoadingError,
        head: TransferHead?,
        isAlone: Bool,
        isKnown: Bool,
        hasAnsweredOthers: Bool
    ) {
        switch error.reason {
        case .httpStatus(429), .httpStatus(503): self = hasAnsweredOthers ? .company : .host
        case .transport(let failure) where head == nil:
            switch failure.kind {
            case .noNetwork, .noConnection, .noResources: self = .host
            case .hostNotFound, .proxyNotFound: self = isKnown ? .host : .picture
            case .connectionLost: self = isAlone ? .picture : .company
            default: self = .picture
            }
        default: self = .picture
        }
    }
}
