import SystemSupport

@testable import ImageLoading

/// The file calls of a process that is killed during one of them: that call is half done or not
/// done at all, and no call follows.
final class DyingProcess: Sendable {
    private let remaining: Protected<Int>

    /// Creates a process that is killed at the call with this number, starting from 1.
    init(atCall number: Int) {
        remaining = Protected(number)
    }

    /// Whether the process is still alive.
    var isAlive: Bool { remaining.withLock { $0 > 0 } }

    /// Counts a call; throws if the process is dead or dies now.
    private func live() throws(FileFailure) {
        let isAlive = remaining.withLock { remaining in
            remaining -= 1
            return remaining > 0
        }
        guard isAlive else { throw FileFailure(operation: "kill -9", code: 0) }
    }

    /// Returns `base` as called by this process.
    func calls(_ base: FileCalls) -> FileCalls {
        var calls = base
        calls.create = { path throws(FileFailure) in
            try self.live()
            return try base.create(path)
        }
        calls.write = { file, bytes throws(FileFailure) in
            do throws(FileFailure) {
                try self.live()
            } catch {
                // A kill during a write leaves part of the data.
                _ = try? base.write(file, .init(rebasing: bytes.prefix(bytes.count / 2)))
                throw error
            }
            return try base.write(file, bytes)
        }
        calls.setAttribute = { file, record throws(FileFailure) in
            try self.live()
            try base.setAttribute(file, record)
        }
        calls.synchronize = { file throws(FileFailure) in
            try self.live()
            try base.synchronize(file)
        }
        calls.rename = { from, to throws(FileFailure) in
            try self.live()
            try base.rename(from, to)
        }
        calls.remove = { path throws(FileFailure) in
            try self.live()
            return try base.remove(path)
        }
        return calls
    }
}
