import Decoders
import Feeds
import GalleryCore
import ImageLoading
import SystemSupport

/// An image to pass to a program outside the gallery.
struct ExternalPicture: Sendable {
    let url: String
    let caption: String
    let request: ImageRequest

    /// The path of a local file, encoded by `FileText`, or nil for other images.
    var path: String? { PictureAddress.path(ofURL: url).map { FileText.text($0) } }
}

/// Provides images as files.
///
/// A local file is used directly. Any other image is copied to the program's own directory, after
/// loading it if it is not in the cache. This class is thread-safe.
final class PictureFiles: Sendable {
    private let manager: ImageManager
    private let pool = WorkerPool(name: "files", threadCount: 1)
    private let folder = Protected<TemporaryFolder?>(nil)

    init(manager: ImageManager) {
        self.manager = manager
    }

    /// The result of preparing or saving a list of images.
    struct Outcome: Sendable {
        /// The paths or names of the files, in the same order as the images.
        var files: [String] = []
        /// The reason why the first missing file could not be provided.
        var problem: String?
        var missingCount = 0

        fileprivate mutating func add(_ result: Result<String, NewFile.Problem>) {
            switch result {
            case .success(let file): files.append(file)
            case .failure(let error):
                problem = problem ?? error.reason
                missingCount += 1
            }
        }
    }

    /// Returns the paths of files that contain the images.
    ///
    /// Copies of remote images exist only while the gallery is running.
    func paths(of pictures: [ExternalPicture]) async -> Outcome {
        var outcome = Outcome()
        for picture in pictures {
            if let path = picture.path {
                outcome.add(.success(path))
            } else {
                outcome.add(await copy(picture, into: nil))
            }
        }
        return outcome
    }

    /// Saves images in a directory, and returns their file names.
    func save(_ pictures: [ExternalPicture], in target: String) async -> Outcome {
        var outcome = Outcome()
        for picture in pictures { outcome.add(await copy(picture, into: target)) }
        return outcome
    }

    func removeCopies() {
        folder.withLock { folder in
            folder?.remove()
            folder = nil
        }
    }

    /// Copies an image to the directory `target`, and returns the name of the copy.
    ///
    /// If `target` is nil, copies the image to the program's own directory and returns the path of
    /// the copy.
    private func copy(
        _ picture: ExternalPicture,
        into target: String?
    ) async -> Result<String, NewFile.Problem> {
        do {
            let (content, suffixes) = try await content(of: picture)
            let name = SafeFileName.name(
                forURL: picture.url,
                caption: picture.caption,
                suffixes: suffixes
            )
            return try await pool.run(priority: .high) { [self] _ in
                write(content, named: name, into: target)
            }
        } catch let error as ImageLoadingError {
            return .failure(NewFile.Problem(reason: error.description))
        } catch {
            return .failure(NewFile.Problem(reason: "the gallery is closing"))
        }
    }

    private func write(
        _ content: NewFile.Content,
        named name: String,
        into target: String?
    ) -> Result<String, NewFile.Problem> {
        do throws(NewFile.Problem) {
            guard target == nil else {
                return .success(try NewFile.make(content, named: name, in: target ?? "."))
            }
            let folder = try ownFolder()
            let made = try NewFile.make(content, named: name, in: folder, mode: 0o600)
            return .success("\(folder)/\(made)")
        } catch {
            return .failure(error)
        }
    }

    private func content(
        of picture: ExternalPicture
    ) async throws -> (NewFile.Content, suffixes: [String]) {
        if let path = picture.path {
            let format = DecoderRegistry.standard.format(ofFileNamed: path)
            return (.file(path: path), format?.fileSuffixes ?? [])
        }
        let bytes = try await manager.data(for: picture.request).bytes
        let format = DecoderRegistry.standard.format(of: bytes)
        return (.bytes(bytes), format?.fileSuffixes ?? [])
    }

    /// Returns the program's own directory, creating it on first use.
    private func ownFolder() throws(NewFile.Problem) -> String {
        let made = folder.withLock { folder in
            if folder == nil {
                TemporaryFolder.sweep()
                folder = try? TemporaryFolder()
            }
            return folder?.path
        }
        guard let made else { throw NewFile.Problem(reason: "cannot create a temporary folder") }
        return made
    }
}
