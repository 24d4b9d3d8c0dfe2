import Testing

@testable import ImageLoading

struct MemoryBudgetTests {
    private static let mebibyte = 1 << 20
    private static let budgets: [(physical: Int?, group: Int?, megabytes: Int)] = [
        (1000, nil, 100), (64_000, nil, 256), (64_000, 500, 50), (1000, 4000, 100),
        (nil, 1000, 100), (nil, nil, 256), (0, nil, 0),
    ]

    @Test(arguments: budgets)
    func `the default is a tenth of the memory, at most 256 MiB`(
        physical: Int?,
        group: Int?,
        expected: Int
    ) {
        let budget = MemoryBudget(
            physicalByteCount: physical.map { $0 * Self.mebibyte },
            groupByteLimit: group.map { $0 * Self.mebibyte }
        )

        #expect(budget.byteLimit == expected * Self.mebibyte)
    }

    @Test(arguments: [
        ("MemTotal:       24683924 kB\nMemFree:  1 kB\n", 24_683_924 * 1024),
        ("Other: 1 kB\nMemTotal: 5 kB", 5 * 1024), ("MemTotal:", nil), ("MemTotal: x kB", nil),
        ("", nil),
        ("MemTotal: 9223372036854775807 kB", nil), ("MemTotal: -1 kB", nil),
    ])
    func `the memory's size is read from meminfo`(text: String, expected: Int?) {
        #expect(MemoryBudget.totalMemory(inMeminfo: text) == expected)
    }

    @Test(arguments: [
        ("0::/user.slice/x.scope\n", "/user.slice/x.scope"), ("4:memory:/a\n0::/\n", "/"),
        ("4:memory:/a\n", nil), ("", nil),
    ])
    func `the control group is read from the version 2 line`(text: String, expected: String?) {
        #expect(MemoryBudget.groupPath(inCgroup: text) == expected)
    }

    @Test(arguments: [("536870912\n", 512 << 20), ("max\n", nil), ("", nil), ("0\n", nil)])
    func `a group's limit is a number or missing`(text: String, expected: Int?) {
        #expect(MemoryBudget.groupLimit(inMemoryMax: text) == expected)
    }

    @Test func `the limits of all parent groups count`() {
        #expect(MemoryBudget.ancestors(of: "/a/b") == ["/a/b", "/a", ""])
        #expect(MemoryBudget.ancestors(of: "/") == [""])
    }

    @Test func `this machine has a memory budget`() {
        #expect(MemoryBudget.current().byteLimit > 0)
    }
}

@Suite struct KernelTextTests {
    @Test func `a file without a size is read to its end`() throws {
        let text = try #require(KernelText.contents(of: "/proc/self/status"))

        #expect(text.hasPrefix("Name:"))
        #expect(text.hasSuffix("\n"))
    }

    @Test(arguments: ["/proc/none", "/proc", "/proc/self/cmdline/x"])
    func `an unreadable file gives nil`(path: String) {
        #expect(KernelText.contents(of: path) == nil)
    }
}
