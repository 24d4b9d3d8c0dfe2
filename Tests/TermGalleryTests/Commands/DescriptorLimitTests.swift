import Glibc
import Testing

@testable import Feeds
@testable import TermGallery

/// How many transfers the limit of open files allows.
@Suite struct DescriptorLimitTests {
    @Test(arguments: [(1_024, 64), (256, 39), (64, 7), (32, 2), (20, 1), (3, 1)])
    func `the number of transfers is limited by the descriptors, and at least one`(
        limit: Int,
        count: Int
    ) {
        #expect(DescriptorLimit(count: limit).transferCount(wanted: 64) == count)
    }

    @Test func `a high descriptor limit does not increase the wanted number of transfers`() {
        #expect(DescriptorLimit(count: 1_000_000).transferCount(wanted: 6) == 6)
    }

    @Test func `the limit is raised to the hard limit`() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let most = limit.rlim_max
            limit.rlim_cur = 64
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)

            let raised = DescriptorLimit.raised()

            #expect(raised.count == Int(clamping: most))
        }
    }
}
