import Glibc
import TerminalUI

/// A thread for the other side of a test that blocks.
///
/// Not a `Task`: the cooperative pool has as many threads as cores, and two tests that block
/// there, each waiting for a task that has no thread left, wait for ever.
package final class OwnThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private var thread = pthread_t()

    /// Starts `body` at once.
    package init(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body)).toOpaque()
        pthread_create(&thread, nil, OwnThread.run, work)
    }

    /// Waits for the end; call it once.
    package func join() {
        pthread_join(thread, nil)
    }

    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
        { argument in
            guard let argument else { return nil }
            Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }
}
