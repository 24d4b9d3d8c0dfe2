import Glibc
import ImageLoading

/// New files, which never take the place of others.
///
/// Blocks; never on the UI thread nor on Swift's pool.
enum NewFile {
    /// What it is made of.
    enum Content: Sendable {
        case bytes([UInt8])
        /// Of a file, which is copied piece by piece: it may be larger than memory.
        case file(path: String)
    }

    /// Why there is none.
    struct Problem: Error, Equatable {
        let reason: String

        init(reason: String) {
            self.reason = reason
        }

        /// The last call's error.
        static var last: Problem { Problem(reason: String(cString: strerror(errno))) }
    }

    private static let lastNumber = 10_000
    private static let pieceByteCount = 1 << 20

    /// Makes a file of this name in a folder; returns its name, which has a number if there was one.
    ///
    /// What can't be written whole is removed.
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
            // Some file systems tell of a full disk only here; the descriptor is gone either way.
            guard close(descriptor) == 0 else {
                let problem = Problem.last
                unlink(path)
                throw problem
            }
            return numbered
        }
        throw Problem(reason: "there are \(lastNumber) files of this name")
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
