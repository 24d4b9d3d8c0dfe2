extension ImageLoadingError {
    /// An error of the download stage.
    static func download(_ kind: Class, _ reason: Reason) -> ImageLoadingError {
        ImageLoadingError(stage: .download, kind: kind, reason: reason)
    }

    /// The refusal to ask a host that is not a public one (row F32).
    static func privateAddress(of address: WebAddress) -> ImageLoadingError {
        .download(.policy, .privateAddress(address.host))
    }
}
