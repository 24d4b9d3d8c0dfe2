import GalleryCore
import ImageLoading
import TerminalUI

/// The loads that continue after their cells have left the screen because cancellation is off.
///
/// They demonstrate how a viewer without cancellation behaves, so they are served before the loads
/// of visible cells, which were requested later. Use this class on the UI thread only.
final class KeptLoads {
    /// The maximum number of loads; if it is exceeded, the oldest load is cancelled.
    static let limit = 1000

    private let manager: ImageManager
    private let mailbox: Mailbox<GalleryMail>
    private var operations: [Int: LoadOperation] = [:]

    init(manager: ImageManager, mailbox: Mailbox<GalleryMail>) {
        self.manager = manager
        self.mailbox = mailbox
    }

    /// Returns the priority of loads for cells.
    ///
    /// If cancellation is off, it is lower than the priority of the loads that continue.
    static func priorityOfCell(cancels: Bool) -> LoadPriority { cancels ? .high : .normal }

    /// Joins the running load of a request to keep it running after its cell has left the screen.
    ///
    /// Its events are posted with the number `load`.
    func keep(_ request: ImageRequest, as load: Int) {
        var request = request
        request.priority = .high
        // Previews are not needed because the cell is not on the screen.
        request.options.remove(.progressive)
        operations[load] = manager.load(request) { [mailbox] event in
            mailbox.post(.message(.kept(load: load, event)))
        }
        guard operations.count > Self.limit, let oldest = operations.keys.min() else { return }
        operations.removeValue(forKey: oldest)?.cancel()
    }

    /// Removes a load that has ended.
    func end(_ load: Int) { operations[load] = nil }

    func cancelAll() {
        for operation in operations.values { operation.cancel() }
        operations = [:]
    }
}
