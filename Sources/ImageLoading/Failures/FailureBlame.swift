/// What a failed transfer says about the picture it was for; asked for loads that wait for their
/// host, which only the picture's own failures may end.
enum FailureBlame: Hashable, Sendable {
    /// It says nothing: the host is not there, or is busy for everybody.
    case host
    /// It may be the picture, or the transfers beside it.
    case company
    /// It may be the picture: the host took the request for it.
    case picture

    /// `isAlone` tells whether nothing else ran on the host; `isKnown` whether the host has answered
    /// before, so that its name can't be a slip of the pen, `hasAnsweredOthers` whether it has since
    /// the picture was asked for first or failed last.
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
