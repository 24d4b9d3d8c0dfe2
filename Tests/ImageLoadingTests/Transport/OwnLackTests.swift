import Glibc
import Testing

@testable import ImageLoading

/// Resources that the process itself lacks are not the server's fault.
@Suite struct OwnLackTests {
    /// Runs in a separate process that has no free descriptors.
    @Test(arguments: ["127.0.0.1", "localhost"])
    func `without a descriptor for its connection a transfer fails and names the limit`(
        host: String
    ) async {
        await #expect(processExitsWith: .success) { [host] in
            let (first, second) = (
                LoopbackServer(["/": LoopbackServer.Step.answer([1])]),
                LoopbackServer(["/": LoopbackServer.Step.answer([2])])
            )
            let transport = CurlTransport(configuration: .patient)
            // The transport has its own resources by then.
            let before = await transport.run(first.url("/"))
            let limit = rlimit(rlim_cur: 100, rlim_max: 100)
            withUnsafePointer(to: limit) {
                _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), $0)
            }
            while open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0 {}

            let outcome = await transport.run("http://\(host):\(second.port)/")

            #expect(before.body == [1])
            #expect(outcome.error?.isOurLack == true)
            #expect(outcome.errorText == "no file descriptor left: the limit is 100 (ulimit -n)")
        }
    }
}
