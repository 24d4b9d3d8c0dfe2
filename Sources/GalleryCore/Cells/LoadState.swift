internal import ImageLoading

/// The state of a load for a cell or the image view.
enum LoadState: Equatable, Sendable {
    /// The load was requested.
    case asked
    /// The load is in the queue of pending transfers.
    case queued
    /// The load is waiting for a failing server.
    ///
    /// It continues when the server responds.
    case waiting(LoadFailure)
    /// The transfer is running.
    case loading(LoadProgress)
    /// The complete image was loaded from this source.
    case loaded(ImageSource)
    /// The image is missing or incomplete.
    case failed(LoadFailure)

    /// Whether the load has not ended.
    var isPending: Bool {
        switch self {
        case .asked, .queued, .waiting, .loading: true
        case .loaded, .failed: false
        }
    }

    /// Records that the load is waiting, either in the queue or because of an error.
    mutating func wait(for error: ImageLoadingError?) {
        switch self {
        case .asked, .queued, .waiting, .loading:
            if let error {
                self = .waiting(LoadFailure(waiting: error))
            } else if self == .asked || isWaitingForServer {
                self = .queued
            }
        case .loaded, .failed: break
        }
    }

    /// The reason why the image is missing or the load is waiting for its server, or nil if neither
    /// is the case.
    var failure: LoadFailure? {
        switch self {
        case .failed(let failure), .waiting(let failure): failure
        case .asked, .queued, .loading, .loaded: nil
        }
    }

    var isWaitingForServer: Bool { if case .waiting = self { true } else { false } }
}
