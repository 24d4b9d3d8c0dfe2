import Glibc
import SystemSupport

/// The output for the result of a command.
///
/// After a failed write, nothing more is written.
struct ResultOutput {
    let descriptor: Int32
    /// The error number of the first failed write.
    private var errorNumber: Int32?

    init(_ descriptor: Int32 = STDOUT_FILENO) { self.descriptor = descriptor }

    /// Whether the output still accepts data.
    var isOpen: Bool { errorNumber == nil }

    /// The error message for the user, or nil if all writes succeeded.
    ///
    /// The message is also nil if the reader closed the pipe, as `head` does, because the user
    /// expects that.
    var problem: String? {
        guard let errorNumber, errorNumber != EPIPE else { return nil }
        return "cannot write the output: \(String(cString: strerror(errorNumber)))"
    }

    /// Writes all bytes, unless an earlier write failed or a signal is ending the process.
    mutating func write(_ bytes: [UInt8]) {
        guard isOpen, !InterruptGuard.isEnding, !OutputBytes.write(bytes, to: descriptor) else {
            return
        }
        errorNumber = errno
    }

    /// Throws an error that ends the program if any output was lost.
    func check() throws(ProgramFailure) {
        if let problem { throw ProgramFailure(.systemFailure, problem) }
    }
}
