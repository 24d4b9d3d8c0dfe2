import GalleryCore
import Glibc

/// Brings frames to the screen; one painter owns the screen for a whole session.
///
/// Lives on the UI thread.
protocol Painter: AnyObject {
    /// Shows a frame: writes what differs from the frame before. The size may differ from it,
    /// then everything is drawn.
    func paint(_ frame: Frame)
    /// The next `paint` draws every cell.
    func invalidate()
}

/// Writes escape sequences itself: 24-bit colour, or palette colours where ncurses' entry for
/// the terminal doesn't know them.
final class DirectPainter: Painter {
    private var encoder: FrameEncoder
    private let output: TerminalOutput

    init(output: TerminalOutput, options: FrameEncoder.Options) {
        self.output = output
        encoder = FrameEncoder(options: options)
    }

    func paint(_ frame: Frame) {
        if !output.write(encoder.encode(frame)) { encoder.invalidate() }
    }

    func invalidate() {
        encoder.invalidate()
    }
}

/// Writes whole frames to the terminal.
///
/// Lives on the UI thread. The descriptor may block or not; where it doesn't, a terminal that
/// is slow to read is waited for, but not past a signal: a person at a frozen connection can
/// still end the program.
final class TerminalOutput {
    private let descriptor: Int32
    private let interruption: Int32?

    /// `interruption` becomes readable when waiting has no more sense (the signalfd).
    ///
    /// Neither descriptor is owned.
    init(descriptor: Int32, interruption: Int32? = nil) {
        self.descriptor = descriptor
        self.interruption = interruption
    }

    /// Writes all bytes.
    ///
    /// False if the terminal is gone or a signal came first; then it is unknown what the screen
    /// shows.
    func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if written > 0 {
                    rest = rest.dropFirst(written)
                } else if written < 0, errno == EAGAIN {
                    guard waitUntilWritable() else { return false }
                } else if written < 0, errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    private func waitUntilWritable() -> Bool {
        var sources = [
            pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: interruption ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&sources, nfds_t(sources.count), -1)
        if count < 0 { return errno == EINTR }
        return sources[0].revents & Int16(POLLOUT) != 0
    }
}

extension Slice where Base == UnsafeRawBufferPointer {
    fileprivate var baseAddress: UnsafeRawPointer? {
        UnsafeRawBufferPointer(rebasing: self).baseAddress
    }
}
