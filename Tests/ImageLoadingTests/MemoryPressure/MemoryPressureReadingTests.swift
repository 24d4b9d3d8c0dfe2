import Testing

@testable import ImageLoading

@Suite struct MemoryPressureReadingTests {
    private static func reading(
        some: Double = 0,
        all: Double = 0,
        used: Int? = nil
    ) -> MemoryPressureReading {
        var reading = MemoryPressureReading(someStalledPercent: some, allStalledPercent: all)
        if let used { reading.takeUsage(current: "\(used)\n", statistics: "", limit: 1000) }
        return reading
    }

    // C2
    @Test(arguments: [
        (reading(), MemoryPressure.moderate),
        (reading(some: 90), .moderate),
        (reading(all: 9.9), .moderate),
        (reading(all: 10), .serious),
        (reading(all: 40), .critical),
        (reading(used: 849), .moderate),
        (reading(used: 850), .serious),
        (reading(used: 950), .critical),
        (reading(used: 2000), .critical),
    ])
    func `the group's limit and stalls determine the level`(
        reading: MemoryPressureReading,
        pressure: MemoryPressure
    ) {
        #expect(reading.pressure == pressure)
    }

    /// Even on a machine with 21 of 24 GB available, threads may wait: for large pages, or in
    /// another control group at its own limit.
    @Test(arguments: [
        (24_684_096, 21_000_000, nil, false), (24_684_096, 21_000_000, 749, false),
        (24_684_096, 21_000_000, 750, true), (24_684_096, 6_000_000, nil, true),
        (24_684_096, 0, 10, true),
    ])
    func `stalls count only if memory is short for this process`(
        total: Int,
        available: Int,
        used: Int?,
        isShort: Bool
    ) {
        var reading = Self.reading(some: 90, all: 50, used: used)
        #expect(reading.isShort, "nothing is known of the machine")

        reading.takeAvailable(
            "MemTotal:  \(total) kB\nMemFree: 1 kB\nMemAvailable: \(available) kB"
        )

        #expect(reading.isShort == isShort)
    }

    @Test func `the averages are read from the kernel's two lines`() {
        var reading = MemoryPressureReading()

        reading.takeAverages(
            """
            some avg10=12.50 avg60=3.00 avg300=1.00 total=11220657
            full avg10=4.25 avg60=1.00 avg300=0.50 total=10947541

            """
        )

        #expect(reading.someStalledPercent == 12.5)
        #expect(reading.allStalledPercent == 4.25)
        #expect(reading.reachesTrigger)
    }

    @Test func `of several files the highest pressure counts`() {
        var reading = MemoryPressureReading()

        reading.takeAverages("some avg10=3.00\nfull avg10=2.00")
        reading.takeAverages("some avg10=1.00\nfull avg10=5.00")
        reading.takeUsage(current: "500", statistics: "", limit: 1000)
        reading.takeUsage(current: "500", statistics: "", limit: 5000)

        #expect(reading.someStalledPercent == 3)
        #expect(reading.allStalledPercent == 5)
        #expect(reading.groupFill == 0.5)
    }

    @Test(arguments: [
        "", "\n", "some", "some avg10=", "some avg10=x", "some avg10=inf", "some avg10=nan",
        "avg10=99.00 some", "\u{0}\u{FFFD}", "full avg10=-1",
    ])
    func `an empty pressure file counts as no pressure`(text: String) {
        var reading = MemoryPressureReading()

        reading.takeAverages(text)

        #expect(!reading.reachesTrigger)
        #expect(reading.pressure == .moderate)
    }

    @Test func `pages that the kernel can drop immediately do not count as used`() {
        var reading = MemoryPressureReading()

        reading.takeUsage(
            current: "900\n",
            statistics: "anon 100\ninactive_file 700\nactive_file 100\n",
            limit: 1000
        )

        #expect(reading.groupFill == 0.2)
    }

    @Test(arguments: [
        ("", "", 1000), ("x", "", 1000), ("-5", "", 1000), ("500", "", 0), ("500", "", -1),
    ])
    func `impossible figures of a group are ignored`(
        current: String,
        statistics: String,
        limit: Int
    ) {
        var reading = MemoryPressureReading()

        reading.takeUsage(current: current, statistics: statistics, limit: limit)

        #expect(reading.groupFill == nil)
    }

    @Test(arguments: ["inactive_file -9", "inactive_file 9999999", "inactive_file x"])
    func `impossible droppable pages never make the figure negative`(statistics: String) {
        var reading = MemoryPressureReading()

        reading.takeUsage(current: "500", statistics: statistics, limit: 1000)

        #expect((0...0.5).contains(reading.groupFill ?? -1))
    }
}
