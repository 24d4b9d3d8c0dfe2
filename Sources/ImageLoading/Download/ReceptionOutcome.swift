/// How a transfer ended, seen from the listeners.
enum ReceptionOutcome: Hashable, Sendable {
    /// With a whole body, or with a 304 that was asked for.
    case success(DownloadedBody)
    /// With an error; `Reception.partial` tells what could be gone on with.
    case failure(ImageLoadingError)
    /// With an answer that doesn't fit the partial body: send the request once more without it.
    ///
    /// The error is the reason. It can't come twice: only a reception that began with a partial
    /// body ends so.
    case restart(ImageLoadingError)
}
