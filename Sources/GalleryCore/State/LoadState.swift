internal import ImageLoading

/// How far the load of a cell or of the detail view is.
enum LoadState: Equatable, Sendable {
    /// Asked for; nothing is known.
    case asked
    /// Waits for a transfer.
    case queued
    /// Waits for a server that fails, and goes on when it answers.
    case waiting(LoadFailure)
    /// The transfer runs.
    case loading(LoadProgress)
    /// There is an image.
    case loaded(ImageSource)
    /// There is none, or not all of it, and why.
    case failed(LoadFailure)

    /// Whether the end is still to come.
    var isPending: Bool {
        switch self {
        case .asked, .queued, .waiting, .loading: true
        case .loaded, .failed: false
        }
    }

    /// Takes a word that it is still to come, and why.
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

    /// Why there is nothing, for good or for now.
    var failure: LoadFailure? {
        switch self {
        case .failed(let failure), .waiting(let failure): failure
        case .asked, .queued, .loading, .loaded: nil
        }
    }

    /// Whether a server has to answer before anything happens.
    var isWaitingForServer: Bool { if case .waiting = self { true } else { false } }
}
