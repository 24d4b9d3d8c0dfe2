import Glibc
import ImageLoading
import SystemSupport

/// A namespace for creating files without ever replacing existing files.
///
/// The methods block. Don't call them on the UI thread or on the cooperative thread pool.
enum NewFile {
    /// The content of a new file.
    enum Content: Sendable {
        case bytes([UInt8])
        /// The content of another file.
        ///
        /// It is copied piece by piece, because it may be larger than memory.
        case file(path: String)
    }

    /// The reason why the file was not created.
    struct Problem: Error, Equatable {
        let reason: String

        init(reason: String) {
            self.reason = reason
        }

        /// The error of the last system call.
        static var last: Problem { Problem(reason: String(cString: strerror(errno))) }
    }

    private static let lastNumber = 10_000
    private static let pieceByteCount = 1 << 20

    /// Creates a file in a directory and returns its name.
    ///
    /// If a file with the same name exists, a number is added to the name. If the file can't be
    /// written completely, it is removed.
    static func make(
        _ content: Content,
        named name: String,
        in folder: String,
        mode: mode_t = 0o666
    ) throws(Problem) -> String {
        for number in 1...lastNumber {
            let numbered = SafeFileName.numbered(name, number)
            let path = FileText.path("\(folder)/\(numbered)")
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let descriptor = open(path, flags, mode)
            if descriptor < 0, errno == EEXIST { continue }
            guard descriptor >= 0 else { throw .last }
            do throws(Problem) {
                try write(content, to: descriptor)
            } catch {
                close(descriptor)
                unlink(path)
                throw error
            }
            // Some file systems report a full disk only in this call. The descriptor is closed in
            // any case.
            guard close(descriptor) == 0 else {
                let problem = Problem.last
                unlink(path)
                throw problem
            }
            return numbered
        }
        throw Problem(
            reason: "there are already \(lastNumber) files of this name; move some of them"
        )
    }

    private static func write(_ content: Content, to descriptor: Int32) throws(Problem) {
        switch content {
        case .bytes(let bytes):
            guard OutputBytes.write(bytes, to: descriptor) else { throw .last }
        case .file(let path):
            let source = open(FileText.path(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard source >= 0 else { throw .last }
            defer { close(source) }
            var piece = [UInt8](repeating: 0, count: pieceByteCount)
            while true {
                let count = read(source, &piece, piece.count)
                if count == 0 { return }
                guard count > 0, OutputBytes.write(Array(piece[..<count]), to: descriptor) else {
                    throw .last
                }
            }
        }
    }
}
