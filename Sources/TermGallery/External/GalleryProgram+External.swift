import Feeds
import GalleryCore
import ImageLoading

/// Methods that send data to programs and files outside the gallery, and show the results.
extension GalleryProgram {
    /// Updates the feed after files are deleted or restored, and shows the result.
    func take(_ report: TrashWork.Report) {
        let feed = state.currentFeed?.changing(deleted: report.taken, returned: report.returned)
        if let feed { send(.feedChanged(feed, items: report.taken + report.returned)) }
        send(.trashed(report.taken))
        say(report.remark)
    }

    func say(_ remark: ExternalWork.Remark?) {
        if let remark { send(.notice(remark.text, remark.kind)) }
    }

    func picture(_ item: Int) -> ExternalPicture? {
        guard let request = state.request(for: item, retrying: true),
            let feedItem = state.currentFeed?[item]
        else { return nil }
        return ExternalPicture(url: feedItem.url, caption: feedItem.caption, request: request)
    }
}
