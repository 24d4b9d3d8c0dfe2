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
        /// It is copied piece by piece because it may not fit in memory.
        case file(path: String)
    }

    /// The reason why the file was not created.
    struct Problem: Error, Equatable {
        let reason: String
        /// Whether the file system may have rejected the file name.
        var mayBeName = false

        init(reason: String) {
            self.reason = reason
        }

        /// The error from the last system call.
        static var last: Problem {
            let code = errno
            var problem = Problem(reason: String(cString: strerror(code)))
            // FAT returns `EINVAL` for characters such as ":"; other file systems return `EILSEQ`
            // for characters that they cannot store.
            problem.mayBeName = code == EINVAL || code == EILSEQ
            return problem
        }
    }

    /// A function that opens a file like open(2): it returns a descriptor, or -1 and sets `errno`.
    typealias Opening = (_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32

    /// The function provided by the operating system.
    static let systemOpen: @Sendable (String, Int32, mode_t) -> Int32 = { path, flags, mode in
        open(FileText.path(path), flags, mode)
    }

    private static let lastNumber = 10_000
    private static let pieceByteCount = 1 << 20

    /// Creates a file in a directory, and returns its name.
    ///
    /// If a file with the same name exists, a number is added to the name. If the file system
    /// rejects the name, characters that FAT forbids are replaced. If the file can't be written
    /// completely, it is removed.
    static func make(
        _ content: Content,
        named name: String,
        in folder: String,
        mode: mode_t = 0o666,
        opening: Opening = systemOpen
    ) throws(Problem) -> String {
        var name = name
        var number = 1
        while number <= lastNumber {
            let numbered = SafeFileName.numbered(name, number)
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let descriptor = opening("\(folder)/\(numbered)", flags, mode)
            if descriptor < 0, errno == EEXIST {
                number += 1
                continue
            }
            guard descriptor >= 0 else {
                let (problem, portable) = (Problem.last, SafeFileName.portable(name))
                guard problem.mayBeName, portable != name else { throw problem }
                name = portable
                continue
            }
            let path = FileText.path("\(folder)/\(numbered)")
            do throws(Problem) {
                try write(content, to: descriptor)
            } catch {
                close(descriptor)
                unlink(path)
                throw error
            }
            // Some file systems report a full disk only in this call. The descriptor is closed in
            // either case.
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
