internal import Glibc

/// ENOENT, spelt out where `Glibc` is not imported.
let noSuchFile = ENOENT

extension DiskCache {
    /// Reads a local file, for `file:` URLs; on the reader threads, past the cache.
    ///
    /// Symbolic links are followed. Pipes, devices and folders are refused at once, never waited
    /// for. Errors are of stage `cache`: `unreadableFile` with the reason, `tooLarge` (kind
    /// `policy`) above `maximumByteCount`, `emptyBody`; or `cancelled`.
    public func readFile(
        atPath path: String,
        maximumByteCount: Int = 64 << 20,
        priority: LoadPriority = .high
    ) async throws(ImageLoadingError) -> [UInt8] {
        let result: Result<[UInt8], FileReading.Problem>
        do {
            result = try await readers.run(priority: priority) { _ in
                Result { () throws(FileReading.Problem) in
                    try FileReading.contents(
                        of: path,
                        maximumByteCount: maximumByteCount,
                        followsLinks: true
                    ).bytes
                }
            }
        } catch {
            throw .cancelled
        }
        return try Self.checked(result, maximumByteCount: maximumByteCount)
    }

    private static func checked(
        _ result: Result<[UInt8], FileReading.Problem>,
        maximumByteCount: Int
    ) throws(ImageLoadingError) -> [UInt8] {
        switch result {
        case .success(let bytes):
            guard bytes.isEmpty else { return bytes }
            throw error(.permanent, .emptyBody)
        case .failure(.failure(let failure)):
            let isPassing = [EIO, EMFILE, ENFILE, ENOMEM, ESTALE].contains(failure.code)
            throw error(isPassing ? .transient : .permanent, .unreadableFile(failure.text))
        case .failure(.notRegular):
            throw error(.permanent, .unreadableFile("not a regular file"))
        case .failure(.unexpectedSize):
            throw error(.policy, .tooLarge(limit: maximumByteCount))
        }
    }

    private static func error(
        _ kind: ImageLoadingError.Class,
        _ reason: ImageLoadingError.Reason
    ) -> ImageLoadingError {
        ImageLoadingError(stage: .cache, kind: kind, reason: reason)
    }
}
