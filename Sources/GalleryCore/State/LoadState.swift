internal import ImageLoading

/// The state of the load of a cell or of the image view.
enum LoadState: Equatable, Sendable {
    /// The load was requested.
    case asked
    /// The load waits for a transfer.
    case queued
    /// The load waits for a failing server, and continues when it answers.
    case waiting(LoadFailure)
    /// The transfer is running.
    case loading(LoadProgress)
    /// The image is loaded.
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

    /// Records that the load waits, and why.
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

    /// The reason for the missing image, permanent or temporary.
    var failure: LoadFailure? {
        switch self {
        case .failed(let failure), .waiting(let failure): failure
        case .asked, .queued, .loading, .loaded: nil
        }
    }

    /// Whether the load cannot continue before a server answers.
    var isWaitingForServer: Bool { if case .waiting = self { true } else { false } }
}
