import GalleryCore
import ImageLoading

/// What a server answers that was asked for a feed.
struct RemoteFeed: Sendable {
    let body: Result<ImageManager.FetchedBody, ImageLoadingError>

    /// Asks the server; `origin` is who named it.
    init(
        _ url: String,
        origin: RequestOrigin,
        _ manager: ImageManager,
        within limit: Duration
    ) async {
        do throws(ImageLoadingError) {
            body = .success(try await manager.body(of: url, origin: origin, within: limit))
        } catch {
            body = .failure(error)
        }
    }

    /// Who wrote what stands in it: a public feed must not lead into the reader's own network; one of
    /// that network may, or an intranet's images could not be seen.
    var origin: RequestOrigin? {
        guard case .success(let body) = body else { return nil }
        return body.isFromPrivateAddress ? .privateFeed : .remoteFeed
    }
}

/// A list of feeds (OPML), all of which are opened as one.
///
/// A list that is named by a list is not followed: two could name each other.
struct FeedList {
    let title: String
    let addresses: [String]
    /// Who wrote the list.
    let origin: RequestOrigin

    /// More are a mistake, or hostile.
    private static let mostFeeds = 500

    /// Asks for all of them at once; the engine decides how many transfers that makes.
    ///
    /// What can't be read is left out and said. Throws if nothing can.
    func feed(manager: ImageManager, timeLimit: Duration) throws(FeedError) -> Feed {
        let addresses = Array(addresses.prefix(Self.mostFeeds))
        let origin = origin
        let answers = waitFor {
            await withTaskGroup(of: (Int, RemoteFeed).self) { group in
                for (index, address) in addresses.enumerated() {
                    group.addTask {
                        (
                            index,
                            await RemoteFeed(address, origin: origin, manager, within: timeLimit)
                        )
                    }
                }
                return await group.reduce(into: [Int: RemoteFeed]()) { $0[$1.0] = $1.1 }
            }
        }
        var feeds: [Feed] = []
        var faults: [String] = []
        for (index, address) in addresses.enumerated() {
            guard let answer = answers[index] else { continue }
            do throws(FeedError) {
                feeds.append(try feed(address, answer))
            } catch {
                faults.append(error.description)
            }
        }
        guard !feeds.isEmpty else {
            throw FeedError(
                "\(title): none of its feeds can be read: \(faults.first ?? "it names none")"
            )
        }
        var feed = Feed(joining: feeds)
        if let fault = faults.first {
            let count =
                "\(faults.count) of \(addresses.count) feeds can't be read, the first: \(fault)"
            feed.remark = "\(title): \(count)"
        }
        return feed
    }

    private func feed(_ address: String, _ answer: RemoteFeed) throws(FeedError) -> Feed {
        let name = URLParts.redacted(address)
        switch answer.body {
        case .failure(let error): throw FeedError(name: name, fault: error.description)
        case .success(let body):
            return try Feed(
                parsing: body.bytes,
                title: name,
                base: .url(address),
                origin: answer.origin ?? .remoteFeed
            )
        }
    }
}
