import ImageLoading
import ImageLoadingTesting
import PropertyRuns
import Testing

@testable import GalleryCore

/// Random sequences of loads that start, run, end and are cancelled.
@Suite struct LanesPropertyTests {
    /// The loads as a simple model: what is known of each, and the bytes that must be counted.
    private struct Model {
        var sizes: [Int: Int?] = [:]
        var progress: [Int: LoadProgress] = [:]
        var queued: Set<Int> = []
        var unannounced = 0
        var cancelled = 0

        mutating func end(_ load: Int) {
            sizes[load] = nil
            progress[load] = nil
            queued.remove(load)
        }

        /// Cancels a load; a load that has ended stays as it is.
        mutating func cancel(_ load: Int) {
            if let size = sizes[load] {
                cancelled += 1
                let isAnnounced = progress[load]?.expected != nil
                if !isAnnounced, let size {
                    unannounced += max(0, size - (progress[load]?.received ?? 0))
                }
                end(load)
            }
        }
    }

    @Test(arguments: [UInt64(1), 2, 3, 64])
    func `no sequence leaks a lane, exceeds the slots or loses a byte`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let slots = seed == 64 ? 64 : Int(seed)
        var transfers = TransferLanes(count: slots)
        var model = Model()
        for step in 0..<PropertyRuns.count(4_000) {
            let load = Int.random(in: 0...step, using: &generator) % 40 + step / 100
            change(load, &transfers, &model, &generator)
            check(transfers, model, slots: slots, "seed \(seed), step \(step)")
        }

        for load in model.sizes.keys.sorted() {
            transfers.cancel(load)
            model.cancel(load)
        }
        for _ in 0..<TransferLanes.visibleTicks { transfers.tick() }
        #expect(transfers.lanes.allSatisfy { $0 == TransferLanes.Lane() })
        #expect(transfers.pendingCount == 0 && transfers.droppedCount == 0)
        #expect(!transfers.needsTicks)
        check(transfers, model, slots: slots, "at the end")
    }

    private func change(
        _ load: Int,
        _ transfers: inout TransferLanes,
        _ model: inout Model,
        _ generator: inout SeededGenerator
    ) {
        let isKnown = model.sizes[load] != nil
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<3 where !isKnown:
            let size = Bool.random(using: &generator) ? load * 1000 : nil
            transfers.start(load, caption: "\(load)", byteCount: size)
            model.sizes[load] = .some(size)
        case 0..<4:
            transfers.take(.queued, of: load)
            guard isKnown else { break }
            model.queued.insert(load)
            model.progress[load] = nil
        case 4..<7:
            let isAnnounced = Bool.random(using: &generator)
            let progress = LoadProgress(
                received: Int.random(in: 0...9000, using: &generator),
                expected: isAnnounced ? Int.random(in: 0...9000, using: &generator) : nil
            )
            transfers.take(.progress(progress), of: load)
            guard isKnown else { break }
            model.queued.remove(load)
            model.progress[load] = progress
        case 7:
            transfers.take(.failed(.notFound), of: load)
            model.end(load)
        case 8:
            transfers.cancel(load)
            model.cancel(load)
        default: transfers.tick()
        }
    }

    private func check(
        _ transfers: TransferLanes,
        _ model: Model,
        slots: Int,
        _ context: String
    ) {
        let shown = transfers.lanes.compactMap { $0.load?.number }
        #expect(transfers.lanes.count == slots, "\(context)")
        #expect(Set(shown).count == shown.count, "\(context)")
        #expect(shown.allSatisfy { model.progress[$0] != nil }, "\(context)")
        #expect(transfers.runningCount == model.progress.count, "\(context)")
        #expect(transfers.queuedCount == model.queued.count, "\(context)")
        #expect(transfers.pendingCount == model.sizes.count, "\(context)")
        #expect(transfers.cancelledCount == model.cancelled, "\(context)")
        #expect(transfers.unannouncedByteCount == model.unannounced, "\(context)")
    }

    @Test func `a cell that is cancelled and requested again ten times a second leaks nothing`() {
        var lanes = LanesState(LaneSettings())
        for second in 0..<60 {
            for _ in 0..<10 {
                let before = lanes.bind(slot: 0, url: "u", caption: "Island 51", byteCount: 1000)
                #expect(before.isEmpty)
                lanes.take(.queued, ofSlot: 0)
                lanes.take(.progress(LoadProgress(received: 0, expected: nil)), ofSlot: 0)
                #expect(lanes.transfers.lanes.count { $0.load != nil } == 1, "second \(second)")
                let after = lanes.unbind(slot: 0)
                #expect(after.isEmpty)
                lanes.tick(isTransferring: true)
            }
        }
        #expect(lanes.transfers.cancelledCount == 600)
        #expect(lanes.transfers.unannouncedByteCount == 600_000)
        #expect(lanes.busyTime == .seconds(60))
        for _ in 0..<10 { lanes.tick(isTransferring: false) }
        #expect(lanes.transfers.lanes.allSatisfy { $0 == TransferLanes.Lane() })
        #expect(lanes.transfers.pendingCount == 0 && !lanes.needsTicks)
    }
}
