@testable import ImageLoading

/// Methods that let tests of the failure memory identify URLs by a single word.
extension FailureMemory {
    private static func url(_ name: String) -> ImageURL {
        guard let url = try? ImageURL(parsing: "http://a.example/\(name)", origin: .local) else {
            preconditionFailure("a word makes a URL")
        }
        return url
    }

    mutating func error(for name: String, at now: Duration) -> ImageLoadingError? {
        error(for: Self.url(name), at: now)
    }

    mutating func remember(_ error: ImageLoadingError, for name: String, at now: Duration) {
        remember(error, for: Self.url(name), at: now)
    }

    mutating func forget(_ name: String) {
        forget(Self.url(name))
    }
}
