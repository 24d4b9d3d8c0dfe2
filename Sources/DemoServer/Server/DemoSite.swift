import NIOConcurrencyHelpers
import NIOCore

/// What all connections of a server share.
struct DemoSite: Sendable {
    let configuration: DemoConfiguration
    /// Makes the bytes of a picture's file.
    let body: @Sendable (PictureStore.Key, any EventLoop) -> EventLoopFuture<[UInt8]>
    let counters = NIOLockedValueBox(DemoCounters())

    func count(_ change: (inout DemoCounters) -> Void) {
        counters.withLockedValue { change(&$0) }
    }
}
