import Feeds
import Glibc
import ImageLoading
import SystemSupport

/// The file that lists the user's feeds.
struct SubscriptionFile {
    /// The path of the file, encoded by `FileText`, or nil if there is no home directory.
    let path: String?

    init(folders: UserFolders = UserFolders()) {
        path = folders.configuration.map { UserFolders.join($0, "termgallery/feeds") }
    }

    /// Returns the content of the file, or an empty string if the file doesn't exist.
    func text() throws -> String {
        guard let path else { return "" }
        let bytes: [UInt8]
        do throws(FileReading.Problem) {
            bytes = try FileStart(of: path, count: Subscriptions.mostBytes + 1).bytes
        } catch {
            guard case .failure(let failure) = error, failure.code == ENOENT else {
                throw self.failure("cannot be read: \(error.text)")
            }
            return ""
        }
        guard bytes.count <= Subscriptions.mostBytes else { throw failure("is larger than 1 MiB") }
        return FileText.text(bytes)
    }

    /// Returns the sources listed in the file, with their titles.
    func sources() throws -> [FeedSource] {
        guard let path else { return [] }
        let folder = AbsolutePath.directory(of: path)
        return Subscriptions(try text()).all.map { subscription in
            .subscription(subscription.source(in: folder), title: subscription.name)
        }
    }

    /// Appends a line to the file, and creates the file if it doesn't exist.
    func append(_ line: String) throws {
        guard let path else {
            throw ProgramFailure(.systemFailure, "HOME is not set; set it to your home directory")
        }
        let lacksEnd = try text().utf8.last.map { $0 != UInt8(ascii: "\n") } ?? false
        UserFolders.make(AbsolutePath.directory(of: path))
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
        let descriptor = open(FileText.path(path), flags, 0o600)
        guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        let bytes = FileText.bytes(of: (lacksEnd ? "\n" : "") + line)
        guard OutputBytes.write(bytes, to: descriptor) else { throw failure(Self.isUnwritable) }
    }

    /// Replaces the content of the file.
    ///
    /// If the path is a symbolic link, the link is kept and its target is replaced.
    func replace(with text: String) throws {
        guard let path else { return }
        let real = realpath(FileText.path(path), nil)
        defer { free(real) }
        let target = real.map { FileText.text(cString: $0) } ?? path
        StateFile.write(FileText.bytes(of: text), to: target)
        guard try self.text() == text else { throw failure(Self.isUnwritable) }
    }

    private static let isUnwritable = "cannot be written; check permissions and free space"

    private func failure(_ fault: String) -> ProgramFailure {
        ProgramFailure(.feedUnreadable, "\(path.map { FileText.shown($0) } ?? "feeds"): \(fault)")
    }
}
