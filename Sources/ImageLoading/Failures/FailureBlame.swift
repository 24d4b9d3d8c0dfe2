/// The possible causes of a failed transfer, with regard to its image.
///
/// This matters for loads that wait for their host: only failures of the image itself may end them.
enum FailureBlame: Hashable, Sendable {
    /// The failure says nothing about the image: the host is unreachable, or rejects all requests.
    case host
    /// The cause may be the image, or the other transfers that run at the same time.
    case company
    /// The cause may be the image, because the host accepted the request for it.
    case picture

    /// Creates a value from the error and the state of the host.
    ///
    /// `isAlone` tells whether no other transfer to the host was running. `isKnown` tells whether
    /// the host has answered before, so that its name is not a typing error. `hasAnsweredOthers`
    /// tells whether the host has answered since the first request for the image or since its last
    /// failure.
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
