import Foundation
import Glibc
import SystemSupport

@testable import ImageLoading

/// A disk with a power failure at one of the calls that change files: data that was not
/// synchronized may be lost.
///
/// It behaves like journaling file systems (ext4, XFS, Btrfs). Changes of names and attributes are
/// lost from some change on, together with all later ones. The content of a file is lost
/// independently, and the file is then empty, shorter, or filled with zeros. `fsync` protects a
/// file's content and attributes, or a directory's names.
final class VolatileDisk: Sendable {
    /// A change of names or attributes, and the function that undoes it.
    private struct Change {
        /// The file whose attributes were changed; nil for a change of names.
        let file: ino_t?
        let undo: @Sendable () -> Void
    }

    private struct State {
        var remaining: Int
        /// The files whose content is not on the disk.
        var unwritten: Set<ino_t> = []
        var changes: [Change] = []
        var linkCount = 0
    }

    private let state: Protected<State>
    /// The directory in which files that lost their name are kept.
    private let attic: String

    /// Creates a disk whose power fails at the call with this number, starting from 1.
    init(failingAtCall number: Int, attic: String) throws {
        state = Protected(State(remaining: number))
        self.attic = attic
        try FileManager.default.createDirectory(atPath: attic, withIntermediateDirectories: true)
    }

    /// Whether the power has not failed yet.
    var isOn: Bool { state.withLock { $0.remaining > 0 } }

    private func count() throws(FileFailure) {
        let isOn = state.withLock { state in
            state.remaining -= 1
            return state.remaining > 0
        }
        guard isOn else { throw FileFailure(operation: "power loss", code: 0) }
    }

    private func note(ofFile file: ino_t? = nil, undo: @escaping @Sendable () -> Void) {
        state.withLock { $0.changes.append(Change(file: file, undo: undo)) }
    }

    /// Creates another name for the file at `path`, to restore it later; nil if there is no file.
    private func keep(_ path: String) -> String? {
        let name = state.withLock { state in
            state.linkCount += 1
            return "\(attic)/\(state.linkCount)"
        }
        return link(path, name) == 0 ? name : nil
    }

    /// Returns `base` as called by a program on this disk.
    func calls(_ base: FileCalls) -> FileCalls {
        var calls = base
        calls.create = { path throws(FileFailure) in
            try self.count()
            let file = try base.create(path)
            self.note { unlink(path) }
            return file
        }
        calls.write = { file, bytes throws(FileFailure) in
            try self.count()
            self.state.withLock { _ = $0.unwritten.insert(Self.number(of: file)) }
            return try base.write(file, bytes)
        }
        calls.setAttribute = { file, record throws(FileFailure) in
            try self.count()
            let old = FileAttribute.value(of: file)
            try base.setAttribute(file, record)
            let path = Self.path(of: file)
            self.note(ofFile: Self.number(of: file)) { Self.setAttribute(old, of: path) }
        }
        calls.synchronize = { file throws(FileFailure) in
            try self.count()
            try base.synchronize(file)
            self.synchronize(file)
        }
        calls.rename = { from, to throws(FileFailure) in
            try self.count()
            let old = self.keep(to)
            try base.rename(from, to)
            self.note {
                rename(to, from)
                if let old { link(old, to) }
            }
        }
        calls.remove = { path throws(FileFailure) in
            try self.count()
            let old = self.keep(path)
            let wasThere = try base.remove(path)
            self.note { if let old { link(old, path) } }
            return wasThere
        }
        return calls
    }

    private func synchronize(_ file: Int32) {
        var status = stat()
        fstat(file, &status)
        let (number, isDirectory) = (status.st_ino, status.st_mode & S_IFMT == S_IFDIR)
        state.withLock { state in
            state.unwritten.remove(number)
            state.changes.removeAll { isDirectory ? $0.file == nil : $0.file == number }
        }
    }

    /// Randomly loses data in `directory` that a power failure may lose.
    func losePower(in directory: String, using random: inout some RandomNumberGenerator) {
        let (changes, unwritten) = state.withLock { ($0.changes, $0.unwritten) }
        let lostCount = Int.random(in: 0...changes.count, using: &random)
        for change in changes.suffix(lostCount).reversed() { change.undo() }
        for name in (try? FolderNames.of(directory)) ?? [] {
            let path = "\(directory)/\(name)"
            guard let status = Self.status(of: path), unwritten.contains(status.st_ino) else {
                continue
            }
            let size = Int(status.st_size)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: truncate(path, 0)
            case 1: truncate(path, Int.random(in: 0...size, using: &random))
            case 2:
                truncate(path, 0)
                truncate(path, size)
            default: break
            }
        }
    }

    // MARK: - Files

    private static func status(of path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    private static func number(of file: Int32) -> ino_t {
        var status = stat()
        fstat(file, &status)
        return status.st_ino
    }

    private static func path(of file: Int32) -> String {
        var bytes = [CChar](repeating: 0, count: 4_096)
        readlink("/proc/self/fd/\(file)", &bytes, bytes.count - 1)
        return FileText.text(cString: bytes)
    }

    private static func setAttribute(_ value: [UInt8]?, of path: String) {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        guard let value else { return FileAttribute.remove(from: file) }
        try? FileCalls().setAttribute(file, value)
    }
}
