import FeedHarness
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport
import Testing
import VirtualTerminal

@testable import Feeds
@testable import TermGallery

/// A folder that is watched on a separate thread, with the reported changes.
final class WatchedFolderHarness: Sendable {
    let path: String
    private let stop: (reader: Int32, writer: Int32)
    private let told = Protected<(feed: Feed?, notices: [String], count: Int)>((nil, [], 0))

    init() {
        var template = Array("/tmp/termgallery-watch-XXXXXX".utf8CString)
        mkdtemp(&template)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        stop = (ends[0], ends[1])
    }

    /// Watches while `body` runs.
    func watch(_ change: (inout WatchOptions) -> Void = { _ in }, _ body: () -> Void) {
        var options = WatchOptions(roots: [path])
        options.lookInterval = .milliseconds(40)
        options.settlingTime = .milliseconds(20)
        options.replacingTime = .milliseconds(20)
        change(&options)
        let (chosen, stop) = (options, stop)
        let thread = OwnThread { [self] in
            FolderWatcher(chosen, title: "w") { [told] event in
                told.withLock { told in
                    switch event {
                    case .pictures(let change):
                        told.feed = change.feed
                        told.count += 1
                    case .notice(let text): told.notices.append(text)
                    }
                }
            }
            .run(until: stop.reader)
        }
        #expect(eventually { feed != nil })
        body()
        close(stop.writer)
        thread.join()
        close(stop.reader)
    }

    private var feed: Feed? { told.withLock { $0.feed } }
    var notices: [String] { told.withLock { $0.notices } }
    /// How often the pictures were told.
    var tellCount: Int { told.withLock { $0.count } }

    /// The number of reported images.
    var count: Int { feed?.count ?? 0 }

    /// The pictures as they were told last: `-` before those that are deleted, `+` behind those that
    /// were written again.
    var pictures: [String] {
        guard let feed else { return [] }
        return (0..<feed.count).map { index in
            let item = feed[index]
            let sign = item.problem == nil ? "" : "-"
            return sign + item.caption
                + (item.problem == nil && item.currentURL != item.url ? "+" : "")
        }
    }

    /// Waits until the pictures are these.
    func expect(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        let isSo = eventually { pictures == expected }
        #expect(isSo, "\(pictures)", sourceLocation: sourceLocation)
    }

    /// Waits until a condition holds that nothing announces.
    func eventually(_ condition: () -> Bool) -> Bool {
        for _ in 0..<20_000 where !condition() { poll(nil, 0, 5) }
        return condition()
    }

    func write(_ name: String, _ bytes: [UInt8] = LoadingHarness.picture) {
        let file = open(FileText.path("\(path)/\(name)"), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = Glibc.write(file, bytes, bytes.count)
        close(file)
    }

    func move(_ old: String, _ new: String) { rename("\(path)/\(old)", "\(path)/\(new)") }
    func delete(_ name: String) { remove("\(path)/\(name)") }
    func makeFolder(_ name: String) { mkdir("\(path)/\(name)", 0o700) }
}
