import Decoders

/// The texts the server offers beside pictures.
enum DemoFeed {
    /// The plain text feed: a line per picture, its address relative to the feed, its caption.
    static func text(_ configuration: DemoConfiguration) -> String {
        var text = "# \(configuration.count) pictures made by the demo server\n"
        for number in stride(from: 1, through: configuration.count, by: 1) {
            let picture = DemoPicture(number: number, seed: configuration.seed)
            let suffix = picture.format == .jpeg ? "jpg" : "png"
            text += "pictures/\(number).\(suffix) \(picture.caption)\n"
        }
        return text
    }

    /// The page for a browser that comes by.
    static func page(_ configuration: DemoConfiguration) -> String {
        """
        <!DOCTYPE html>
        <title>TermGallery demo server</title>
        <h1>TermGallery demo server</h1>
        <p>It makes \(configuration.count) pictures by number, for trying out and testing.
        <ul>
        <li><a href="feed.txt">feed.txt</a>: the feed, for <code>termgallery URL</code>
        <li><a href="pictures/1.jpg">pictures/1.jpg</a>, <a href="pictures/1.png">.png</a>: a picture
        <li><a href="counters.json">counters.json</a>: what was asked and sent so far
        </ul>
        <p>A picture's query sets its <code>width</code> or makes it misbehave: <code>latency</code> (ms), <code>bandwidth</code>
        (bytes/s), <code>status</code>, <code>redirect</code> (hops), <code>html</code>,
        <code>corrupt</code>, <code>etag</code>; after so many bytes <code>truncate</code>,
        <code>reset</code>, <code>stall</code>; a wrong <code>length</code>.

        """
    }
}
