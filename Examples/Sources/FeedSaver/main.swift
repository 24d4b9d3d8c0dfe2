// A feed reader: saves the images of a feed, with their captions, in a directory.
//
//     swift run FeedSaver https://example.org/feed.xml photos
//
// The feed may be RSS, Atom, JSON Feed, an HTML page, a list of URLs, a folder or an archive.
import Feeds
import Foundation
import ImageLoading

IsolatedDecoding.runIfAsked()

/// Creates a manager that loads images in archives, and sends at most two requests to a server at
/// the same time.
func makeManager() -> ImageManager {
    var configuration = ImageManagerConfiguration()
    configuration.disk = DiskCacheConfiguration(
        directory: DiskCacheConfiguration.defaultDirectory(named: "feed-saver")
    )
    configuration.sources = ArchiveSources.all()
    configuration.downloader.maximumTransfersPerHost = 2
    return ImageManager(configuration: configuration)
}

/// Saves the images of a feed in a directory.
struct Saver {
    let manager: ImageManager
    let directory: URL
    /// The number of images that are requested at the same time, so that a feed of a million images
    /// does not create a million tasks.
    let maximumLoads = 8

    /// Saves all images, and returns the number of saved images.
    func save(_ feed: ImageFeed) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            var next = 0
            var savedCount = 0
            func addTask() {
                guard next < feed.count else { return }
                let item = feed[next]
                next += 1
                let number = next
                group.addTask { await save(item, number: number) }
            }
            for _ in 0..<maximumLoads { addTask() }
            while let isSaved = await group.next() {
                if isSaved { savedCount += 1 }
                addTask()
            }
            return savedCount
        }
    }

    /// Saves one image byte for byte; returns whether it succeeded.
    private func save(_ item: ImageFeed.Item, number: Int) async -> Bool {
        do {
            // The request contains the origin of the feed, so that a feed from the network cannot
            // make this program read from the local network.
            let body = try await manager.data(for: item.request)
            guard let format = DecoderRegistry.standard.format(of: body.bytes) else {
                report("\(item.url): not an image")
                return false
            }
            let name = fileName(item, number: number, format: format)
            try Data(body.bytes).write(to: directory.appendingPathComponent(name))
            print("\(name) (\(body.bytes.count) bytes, \(body.source.rawValue))")
            return true
        } catch let error as ImageLoadingError {
            report("\(item.url): \(error.description)")
        } catch {
            report("\(item.url): \(error.localizedDescription)")
        }
        return false
    }

    /// Returns a file name from the position and the caption, which may contain any characters.
    private func fileName(_ item: ImageFeed.Item, number: Int, format: ImageFormat) -> String {
        let words = item.caption.split { !$0.isLetter && !$0.isNumber }
        let caption = words.joined(separator: "-").prefix(40)
        let suffix = format.fileSuffixes.first ?? "image"
        return String(format: "%04d-", number) + caption + "." + suffix
    }
}

func report(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    report("usage: FeedSaver FEED DIRECTORY")
    exit(2)
}
let manager = makeManager()
let directory = URL(fileURLWithPath: arguments[2])
do {
    let feed = try await ImageFeed(at: arguments[1], manager: manager)
    if let remark = feed.remark { report(remark) }
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let savedCount = await Saver(manager: manager, directory: directory).save(feed)
    print("saved \(savedCount) of \(feed.count) images")
    await manager.flush()
    exit(savedCount == feed.count ? 0 : 1)
} catch let error as FeedError {
    report(error.description)
    exit(1)
} catch {
    report(error.localizedDescription)
    exit(1)
}
