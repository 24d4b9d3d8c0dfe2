extension ImageLoadingError {
    /// An error of the download stage.
    static func download(_ kind: Class, _ reason: Reason) -> ImageLoadingError {
        ImageLoadingError(stage: .download, kind: kind, reason: reason)
    }
}
