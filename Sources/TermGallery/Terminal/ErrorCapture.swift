import Glibc

/// Keeps what is written to standard error away from the screen, and prints it afterwards.
///
/// Only where standard error is a terminal: a file the person named keeps getting it directly.
final class ErrorCapture {
    /// Where the messages are kept: an unlinked temporary file.
    let file: Int32
    /// The standard error of before.
    let real: Int32

    /// Nil if there is nothing to keep away, or no place for it.
    init?() {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        var template = TemporaryFolder.template
        let file = mkstemp(&template)
        guard file >= 0 else { return nil }
        unlink(template)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        _ = fcntl(file, F_SETFL, O_APPEND)
        let real = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        guard real >= 0, dup2(file, STDERR_FILENO) >= 0 else {
            close(file)
            if real >= 0 { close(real) }
            return nil
        }
        (self.file, self.real) = (file, real)
    }

    deinit {
        close(file)
        close(real)
    }

    /// Gives standard error back and prints what came meanwhile.
    func finish() {
        dup2(real, STDERR_FILENO)
        var chunk = [UInt8](repeating: 0, count: 4096)
        var offset: off_t = 0
        while true {
            let count = pread(file, &chunk, chunk.count, offset)
            guard count > 0 else { return }
            write(real, chunk, count)
            offset += off_t(count)
        }
    }
}
