internal import SystemSupport

extension ImageManager {
    /// A shared manager for programs that need only one; created on first use.
    ///
    /// If `configureShared(_:)` was called, the manager has that configuration; otherwise, it has
    /// the default configuration. The property may be used on any thread.
    public static var shared: ImageManager { SharedManager.process.manager }

    /// Sets the configuration of the shared manager: header fields, hooks, sources, directories.
    ///
    /// Call this method once, at program start, before anything uses `shared`. A second call, or a
    /// call after the first use of `shared`, is a programming error that ends the process, because
    /// loads would already have run with a different configuration. The method may be called on any
    /// thread.
    public static func configureShared(_ configuration: ImageManagerConfiguration) {
        let problem = SharedManager.process.configure(configuration)
        precondition(problem == nil, problem?.rawValue ?? "")
    }
}

/// Storage for the shared manager, or for its configuration until the manager is created.
final class SharedManager: Sendable {
    /// The reason why the shared manager cannot be configured.
    enum Problem: String {
        case configuredBefore =
            "ImageManager.configureShared was called twice; call it once, at the start of the program"
        case usedBefore =
            "ImageManager.shared was used before configureShared; configure it at the start of the program"
    }

    private enum State {
        case unused
        case configured(ImageManagerConfiguration)
        case created(ImageManager)
    }

    static let process = SharedManager()

    private let state = Protected(State.unused)

    /// The manager, which is created on first use.
    var manager: ImageManager {
        state.withLock { state in
            let manager =
                switch state {
                case .unused: ImageManager()
                case .configured(let configuration): ImageManager(configuration: configuration)
                case .created(let manager): manager
                }
            state = .created(manager)
            return manager
        }
    }

    /// Sets the configuration, or returns the reason why it can no longer be set.
    func configure(_ configuration: ImageManagerConfiguration) -> Problem? {
        state.withLock { state in
            switch state {
            case .unused:
                state = .configured(configuration)
                return nil
            case .configured: return .configuredBefore
            case .created: return .usedBefore
            }
        }
    }
}
