import Testing

@testable import TerminalUI

@Suite struct PictureFlowTests {
    private let start = ContinuousClock.now

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
        start.advanced(by: .milliseconds(milliseconds))
    }

    @Test func `a query follows images, and nothing else`() {
        var flow = PictureFlow(isRemote: false)

        #expect(flow.fence(after: 0, now: at(0)) == nil)
        #expect(flow.fence(after: 1000, now: at(0)) == Array("\u{1B}[5n".utf8))
    }

    @Test func `bytes in flight use up room until they are acknowledged`() {
        var flow = PictureFlow(isRemote: false)
        let empty = flow.room
        _ = flow.fence(after: 200_000, now: at(0))

        var taken = flow.room
        let isTaken = taken.take(100_000)
        #expect(!isTaken)
        #expect(flow.isAwaiting(now: at(1)))
        flow.take(now: at(1))
        #expect(!flow.isAwaiting(now: at(1)))
        var free = flow.room
        let isFree = free.take(empty.bytes)
        #expect(isFree)
    }

    @Test func `a terminal that never answers gets more after a while`() {
        var flow = PictureFlow(isRemote: false)
        _ = flow.fence(after: 10 << 20, now: at(0))
        var room = flow.room
        let hasRoom = room.take(10)
        #expect(!hasRoom)

        _ = flow.fence(after: 0, now: at(1_100))
        room = flow.room
        let hasRoomAgain = room.take(10)
        #expect(hasRoomAgain)
    }

    @Test func `a slow connection makes images small, and a fast one large again`() {
        var flow = PictureFlow(isRemote: false)
        let large = flow.budget(forPixels: 100)

        _ = flow.fence(after: 100_000, now: at(0))
        flow.take(now: at(500))
        #expect(flow.budget(forPixels: 100).byteLimit < large.byteLimit)

        _ = flow.fence(after: 100_000, now: at(600))
        flow.take(now: at(605))
        #expect(flow.budget(forPixels: 100) == large)
    }

    @Test func `a remote terminal gets little from the start`() {
        #expect(PictureFlow(isRemote: true).budget(forPixels: 100).byteLimit == 20_000)
    }

    @Test func `a larger image may cost as much more as it has more pixels`() {
        let flow = PictureFlow(isRemote: false)

        #expect(flow.budget(forPixels: 41_800).byteLimit == 60_000)
        #expect(flow.budget(forPixels: 418_000).byteLimit == 600_000)
    }

    @Test func `through tmux one small image is sent at a time`() {
        var flow = PictureFlow(isRemote: false)
        flow.isPassedOn = true

        #expect(flow.budget(forPixels: 100).byteLimit == 20_000)
        var room = flow.room
        let takesFirst = room.take(20_000)
        let takesSecond = room.take(1)
        #expect(takesFirst && !takesSecond)
    }

    @Test func `images without a reply are lost through tmux, and held after three losses`() {
        var flow = PictureFlow(isRemote: false)
        flow.isPassedOn = true
        var now = 0
        for wait in [2_000, 4_000, 8_000] {
            _ = flow.fence(after: 5_000, of: [7], now: at(now))
            #expect(flow.room.bytes == 0 && !flow.room.isLineEmpty && !flow.isHeld)
            #expect(flow.takeLost(now: at(now + wait)).isEmpty && flow.isAwaiting(now: at(now)))
            now += wait + 1
            #expect(flow.takeLost(now: at(now)) == [7] && !flow.isAwaiting(now: at(now)))
        }
        #expect(flow.isHeld && flow.room.bytes == 0 && !flow.room.isLineEmpty)
        #expect(flow.takeLost(now: at(now + 4_999)).isEmpty && flow.isHeld)
        #expect(flow.takeLost(now: at(now + 5_000)).isEmpty && !flow.isHeld)
        #expect(flow.room.isLineEmpty)
    }

    @Test func `a reply through tmux ends the series of losses and makes room`() {
        var flow = PictureFlow(isRemote: false)
        flow.isPassedOn = true
        for now in [0, 10_000, 20_000, 30_000] {
            _ = flow.fence(after: 5_000, of: [7], now: at(now))
            #expect(flow.takeLost(now: at(now + 2_001)) == [7])
            _ = flow.fence(after: 5_000, of: [7], now: at(now + 2_001))
            flow.take(now: at(now + 3_000))
            #expect(flow.room.isLineEmpty && !flow.isHeld)
            #expect(flow.takeLost(now: at(now + 9_000)).isEmpty)
        }
    }

    @Test func `without tmux no image is lost`() {
        var flow = PictureFlow(isRemote: true)
        _ = flow.fence(after: 5_000, of: [7], now: at(0))
        #expect(flow.takeLost(now: at(60_000)).isEmpty)
    }

    @Test func `only images through tmux have a final quality, below the limit of tmux`() throws {
        var flow = PictureFlow(isRemote: false)
        #expect(flow.finalBudget(forPixels: 41_800) == nil)
        var remote = PictureFlow(isRemote: true)
        (flow.isPassedOn, remote.isPassedOn) = (true, true)

        #expect(remote.finalBudget(forPixels: 41_800) == nil)
        #expect(flow.finalBudget(forPixels: 41_800)?.byteLimit == 60_000)
        let large = try #require(flow.finalBudget(forPixels: 150_000))
        #expect(large.byteLimit < 100_000)
        for pixelCount in [PictureFlow.passedOnPixelLimit, 2_000_000] {
            #expect(flow.finalBudget(forPixels: pixelCount) == nil)
            #expect(flow.budget(forPixels: pixelCount).byteLimit < 100_000)
        }
    }

    @Test func `unrequested responses are ignored`() {
        var flow = PictureFlow(isRemote: false)
        let before = flow.room.bytes

        flow.take(now: at(0))

        #expect(flow.room.bytes == before)
    }

    @Test func `two quick steps are not continuous scrolling, a third one is`() {
        var motion = ScreenMotion()
        let steps: [(row: Int, time: Int, rests: Bool)] = [
            (0, 0, true), (1, 10, true), (2, 50, true), (3, 90, false), (3, 150, false),
            (3, 211, true), (4, 400, true), (5, 450, true),
        ]

        for step in steps {
            let images = PictureFrames.frame(row: step.row).images
            let isResting = motion.isResting(with: images, now: at(step.time))
            #expect(isResting == step.rests, "at \(step.time) ms")
        }
    }

    @Test func `an animation is not continuous scrolling`() {
        var motion = ScreenMotion()
        for number in 10..<20 {
            let frame = PictureFrames.frame(numbers: [0, number, 2], playing: number)
            let isResting = motion.isResting(with: frame.images, now: at(number * 20))
            #expect(isResting)
        }
    }
}
