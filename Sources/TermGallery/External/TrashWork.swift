import Feeds
import GalleryCore
import ImageLoading
import SystemSupport
import TerminalUI

/// Moves files to the trash and back on its own thread.
///
/// The results are posted to the gallery's mailbox. Use this class on the UI thread only.
final class TrashWork {
    /// The result of moving files to the trash or back.
    struct Report: Sendable {
        var taken: [Int] = []
        var returned: [Int] = []
        /// The reason for the first failure.
        var problem: String?
        var failedCount = 0

        fileprivate mutating func fail(_ problem: NewFile.Problem) {
            self.problem = self.problem ?? problem.reason
            failedCount += 1
        }
    }

    private let mailbox: Mailbox<GalleryMail>
    private let trash: Trash
    private let pool = WorkerPool(name: "trash", threadCount: 1)
    /// The files that were moved to the trash, keyed by their original paths.
    private let entries = Protected<[String: Trash.Entry]>([:])

    init(mailbox: Mailbox<GalleryMail>, trash: Trash = Trash()) {
        (self.mailbox, self.trash) = (mailbox, trash)
    }

    func take(_ files: [(item: Int, path: String)]) {
        pool.submit(priority: .high) { [trash, entries, mailbox] in
            var report = Report()
            for (item, path) in files {
                do throws(NewFile.Problem) {
                    let entry = try trash.take(path)
                    entries.withLock { $0[path] = entry }
                    report.taken.append(item)
                } catch {
                    report.fail(error)
                }
            }
            mailbox.post(.trash(report))
        }
    }

    func putBack(_ files: [(item: Int, path: String)]) {
        pool.submit(priority: .high) { [trash, entries, mailbox] in
            var report = Report()
            for (item, path) in files {
                guard let entry = entries.withLock({ $0[path] }) else { continue }
                do throws(NewFile.Problem) {
                    try trash.putBack(entry)
                    entries.withLock { $0[path] = nil }
                    report.returned.append(item)
                } catch {
                    report.fail(error)
                }
            }
            mailbox.post(.trash(report))
        }
    }
}

extension TrashWork.Report {
    /// A message about failed moves or restored files, or nil if there is nothing to report.
    ///
    /// Deleted files are reported by the gallery itself.
    var remark: ExternalWork.Remark? {
        if let problem {
            let files = failedCount == 1 ? "1 file" : "\(failedCount) files"
            return ExternalWork.Remark("\(files) not moved: \(problem)", .failure)
        }
        guard !returned.isEmpty else { return nil }
        return ExternalWork.Remark(
            returned.count == 1 ? "put back 1 file" : "put back \(returned.count) files"
        )
    }
}
