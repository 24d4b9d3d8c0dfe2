import ImageLoading
import ImageLoadingTesting
import Testing

struct OperationTableTests {
    private let harness = ManagerHarness()
    private let table = OperationTable()

    private func operation(_ number: Int) -> LoadOperation {
        harness.load("http://a.example/\(number).png").operation
    }

    @Test func `K3, K7: set cancels the operation under the key`() {
        let (old, new) = (operation(1), operation(2))
        table.set(old, for: .image)

        table.set(new, for: .image)

        #expect(old.isFinished)
        #expect(table.operations(for: .image) == [new])
    }

    @Test func `K2, K4: cancel ends each operation of a group and empties the key`() {
        let group = [operation(1), operation(2)]
        table.set(group, for: "animation")

        table.cancel("animation")
        table.cancel("unknown")

        #expect(group.allSatisfy { $0.isFinished })
        #expect(table.operations(for: "animation") == [])
    }

    @Test func `K5: remove does not cancel`() {
        let kept = operation(1)
        table.set(kept, for: .image)

        table.remove(.image)

        #expect(!kept.isFinished)
        #expect(table.operations(for: .image) == [])
    }

    @Test func `K6: keys are independent`() {
        let (thumbnail, preview) = (operation(1), operation(2))
        table.set(thumbnail, for: "thumbnail")
        table.set(preview, for: "preview")

        table.cancel("thumbnail")

        #expect(thumbnail.isFinished)
        #expect(!preview.isFinished)
    }

    @Test func `K8: a released table cancels its operations`() {
        let owned = operation(1)
        var table: OperationTable? = OperationTable()
        table?.set(owned, for: .image)

        table = nil

        #expect(owned.isFinished)
    }

    @Test func `F23: an ended operation is removed`() {
        let ended = operation(1)
        ended.cancel()

        table.set(ended, for: .image)

        #expect(table.operations(for: .image) == [])
    }
}
