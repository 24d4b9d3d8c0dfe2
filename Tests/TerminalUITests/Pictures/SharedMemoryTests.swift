import Glibc
import Testing

@testable import TerminalUI

/// Serialized, since each looks at what all programs of this machine have there.
@Suite(.serialized) struct SharedMemoryTests {
    /// A process that has ended.
    private static let deadProcess: pid_t = {
        let process = startAndEnd()
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return process
    }()

    /// Starts a program that ends at once.
    private static func startAndEnd() -> pid_t {
        var process: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
        defer { free(arguments[0]) }
        posix_spawn(&process, "/bin/true", nil, nil, &arguments, nil)
        return process
    }

    private static func make(_ name: String, age: Int) {
        let descriptor = shm_open("/" + name, O_CREAT | O_RDWR, 0o600)
        let then = timespec(tv_sec: time(nil) - age, tv_nsec: 0)
        futimens(descriptor, [then, then])
        close(descriptor)
    }

    private static func isThere(_ name: String) -> Bool {
        access("/dev/shm/" + name, F_OK) == 0
    }

    @Test func `the bytes exist as long as the object`() throws {
        var memory = SharedMemory([1, 2, 3])
        let name = try #require(memory?.name.dropFirst())

        #expect(Self.isThere(String(name)))
        memory = nil
        #expect(!Self.isThere(String(name)))
    }

    @Test(arguments: [
        (true, 120, false), (true, 0, true), (false, 120, true),
    ])
    func `a killed program's shared memory is deleted once no terminal can be reading it`(
        isDead: Bool,
        age: Int,
        stays: Bool
    ) {
        let process = isDead ? Self.deadProcess : getpid()
        let name = "termgallery-\(process)-\(UInt64.random(in: 0 ... .max))"
        Self.make(name, age: age)
        defer { shm_unlink("/" + name) }

        SharedMemory.sweep()

        #expect(Self.isThere(name) == stays)
    }

    @Test(arguments: ["termgallery-1", "termgallery-x-1", "termgallery-0-1", "other-1-1"])
    func `objects of other programs are left alone`(start: String) {
        let name = "\(start)-\(UInt32.random(in: 0 ... .max))-test"
        Self.make(name, age: 120)
        defer { shm_unlink("/" + name) }

        SharedMemory.sweep()

        #expect(Self.isThere(name))
    }
}
