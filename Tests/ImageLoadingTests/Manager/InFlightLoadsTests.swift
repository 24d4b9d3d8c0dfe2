import Testing

@testable import ImageLoading

struct InFlightLoadsTests {
    private typealias Loads = InFlightLoads<String, Int, String>

    @Test func `an equal load joins the running one`() {
        var loads = Loads()
        loads.start("a", as: 1, priority: .low) { "run \($0)" }

        let joined = loads.join("a", as: 2, priority: .high)

        #expect(joined?.work == "run 1")
        #expect(joined?.priority == .high)
        #expect(loads.count == 1)
    }

    @Test func `F1: the run continues until the last listener leaves`() {
        var loads = Loads()
        loads.start("a", as: 1, priority: .high) { "run \($0)" }
        _ = loads.join("a", as: 2, priority: .low)

        guard case .othersRemain("run 1", .low) = loads.leave("a", 1) else {
            Issue.record("the second listener still waits, at its own priority (F24)")
            return
        }
        guard case .wasLast("run 1") = loads.leave("a", 2) else {
            Issue.record("the last listener did not end the run")
            return
        }
        #expect(loads.isEmpty)
    }

    @Test func `leaving twice changes nothing`() {
        var loads = Loads()
        loads.start("a", as: 1, priority: .high) { "run \($0)" }
        _ = loads.leave("a", 1)

        guard case .unknown = loads.leave("a", 1) else {
            Issue.record("it had left")
            return
        }
    }

    @Test
    func
        `F2: a load after the last one left starts a run of its own, which a late end of the old one leaves alone`()
    {
        var loads = Loads()
        loads.start("a", as: 1, priority: .high) { "run \($0)" }
        _ = loads.leave("a", 1)
        #expect(loads.join("a", as: 2, priority: .high) == nil)
        loads.start("a", as: 2, priority: .high) { "run \($0)" }

        #expect(loads.finish("a", task: 1) == [])
        #expect(loads.finish("a", task: 2) == [2])
        #expect(loads.isEmpty)
    }
}
