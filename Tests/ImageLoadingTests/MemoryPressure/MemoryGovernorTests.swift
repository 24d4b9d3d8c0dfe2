import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// The memory released at each stage, and the time of its return (row C2, staged).
@Suite struct MemoryGovernorTests {
    // C2
    @Test(arguments: [
        (MemoryPressure.moderate, MemoryStage.trimmed, 50),
        (.serious, .dropped, 0),
        (.critical, .restrained, 0),
    ])
    func `the first sign takes the measures of its level`(
        pressure: MemoryPressure,
        stage: MemoryStage,
        percent: Int
    ) {
        var governor = MemoryGovernor()

        let actions = governor.take(pressure, at: .seconds(5))

        #expect(actions == [.trim(percent: percent), .adopt(stage)])
        #expect(governor.stage == stage)
    }

    @Test func `lasting pressure takes one more stage each time`() {
        var governor = MemoryGovernor()

        let all = (0..<4).map { governor.take(.moderate, at: .seconds(2 * $0)) }

        #expect(
            all == [
                [.trim(percent: 50), .adopt(.trimmed)],
                [.trim(percent: 0), .adopt(.dropped)],
                [.trim(percent: 0), .adopt(.restrained)],
                [.trim(percent: 0)],
            ]
        )
    }

    @Test func `a second sign during the first stage's time takes no further stage`() {
        var governor = MemoryGovernor()
        _ = governor.take(.moderate, at: .seconds(10))

        let actions = governor.take(.moderate, at: .seconds(11))

        #expect(actions == [.trim(percent: 50)])
        #expect(governor.stage == .trimmed)
    }

    @Test func `each quiet time returns one stage`() {
        var governor = MemoryGovernor()
        _ = governor.take(.critical, at: .seconds(100))

        #expect(governor.nextChange == .seconds(130))
        #expect(governor.advance(to: .seconds(129)) == [])
        #expect(governor.advance(to: .seconds(130)) == [.adopt(.dropped)])
        #expect(governor.advance(to: .seconds(160)) == [.adopt(.trimmed)])
        #expect(governor.advance(to: .seconds(190)) == [.adopt(.calm)])
        #expect(governor.nextChange == nil)
        #expect(governor.advance(to: .seconds(9999)) == [])
    }

    @Test func `a long quiet time is one step back to normal`() {
        var governor = MemoryGovernor()
        _ = governor.take(.critical, at: .zero)

        #expect(governor.advance(to: .seconds(500)) == [.adopt(.calm)])
    }

    @Test func `a sign after a quiet time starts from the remaining stage`() {
        var governor = MemoryGovernor()
        _ = governor.take(.serious, at: .zero)

        let actions = governor.take(.moderate, at: .seconds(31))

        // The stage falls to `trimmed` at 30 s, and this report comes too soon after that to raise
        // it again.
        #expect(actions == [.adopt(.trimmed), .trim(percent: 50)])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `for any signs, observers know the stage, and quiet ends in normal`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var governor = MemoryGovernor()
        var (known, time) = (MemoryStage.calm, Duration.zero)
        for _ in 0..<500 {
            time += .milliseconds(Int.random(in: 0...40_000, using: &generator))
            let isSign = Bool.random(using: &generator)
            let pressure = MemoryPressure.allCases.randomElement(using: &generator) ?? .moderate
            let actions =
                isSign ? governor.take(pressure, at: time) : governor.advance(to: time)
            for case .adopt(let stage) in actions { known = stage }

            #expect(known == governor.stage, "seed \(seed)")
            #expect(governor.nextChange.map { $0 > time } ?? (known == .calm), "seed \(seed)")
            if isSign { #expect(known.rawValue >= pressure.rawValue, "seed \(seed)") }
        }
        _ = governor.advance(to: time + MemoryGovernor.quietTime * 3)
        #expect(governor.stage == .calm, "seed \(seed)")
    }
}
