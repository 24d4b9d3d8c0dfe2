/// A help topic: a section of `--help-all`, and the complete output of `--help-TOPIC`.
///
/// The topics exist only in the printed help. Defining an option group in the parser for each topic
/// would cost a million instructions at every start.
enum HelpTopic: String, CaseIterable {
    case feed, display, loading, cache, watching, selection, robots, debugging

    /// The options shown by `--help`, in this order.
    static let mostUsed = [
        "recursive", "watch", "slideshow", "pick", "labels", "pixels", "theme", "plain", "offline",
        "cache-dir",
    ]

    var title: String { rawValue.uppercased() + ":" }

    /// The options of the topic in display order.
    var options: [String] {
        switch self {
        case .feed:
            [
                "recursive", "depth", "exclude", "hidden", "alone", "all", "url-key",
                "caption-key", "url-column", "caption-column", "encoding", "null",
            ]
        case .display:
            [
                "pixels", "symbols", "colors", "dither", "theme", "tile-width", "crop", "justify",
                "plain", "autoscroll", "remember", "lanes",
            ]
        case .loading:
            [
                "offline", "transfers", "proxy", "timeout", "patience", "max-bytes", "max-pixels",
                "isolate", "prefetch", "cancel", "exact",
            ]
        case .cache:
            ["cache-dir", "disk-cache", "no-disk-cache", "memory-cache", "desktop-thumbnails"]
        case .watching:
            ["watch", "slideshow", "refresh-every"]
        case .selection:
            ["pick", "print-marked", "print0", "json", "labels", "label-names", "opener"]
        case .robots:
            ["robots", "user-agent", "transfers-per-host", "pause-per-host"]
        case .debugging:
            ["log", "trace", "config", "no-config"]
        }
    }
}

/// The examples shown at the end of the help.
enum HelpExamples {
    /// Returns the examples for a command, or nil if there are none.
    ///
    /// Pass nil for the program itself.
    static func lines(ofCommand name: String?) -> String? {
        switch name {
        case nil, "gallery":
            """
              termgallery                                 the images in the current folder
              termgallery cat.jpg                         an image, and the others in its folder
              termgallery -r ~/Pictures                   a folder and its subfolders
              termgallery https://example.org/feed.xml    a feed or a web page
              termgallery --watch renders/                new images as they are written
              find . -name '*.jpg' | termgallery -        a list on standard input
              termgallery print --columns 3 photo.jpg     thumbnails on standard output
              termgallery fetch --jsonl list.txt          download a list of images
              termgallery demo --autoscroll               watch cancellation at work
            """
        case "demo":
            """
              termgallery demo --autoscroll               watch cancellation at work
              termgallery demo --count 5000 --latency 50  a larger feed and a faster server
            """
        case "print":
            """
              termgallery print --columns 3 *.jpg         three thumbnails per row
              termgallery print --size 40x20 photo.jpg    a thumbnail of 40 by 20 cells
              termgallery print -r ~/Pictures | less -R   a folder and its subfolders, in a pager
            """
        case "preview":
            """
              termgallery preview photo.jpg               an image as large as the terminal
              fzf --preview 'termgallery preview -- {}'   images in fzf
              termgallery preview --place 40x20@60x2 photo.jpg
                                                          40 columns and 20 rows, at column 60, row 2
            """
        case "info":
            """
              termgallery info photo.jpg                  what the file says about itself
              termgallery info --json *.jpg               as `exiftool -j` prints it, for scripts
            """
        case "fetch":
            """
              termgallery fetch list.txt                  download a list into the disk cache
              termgallery fetch --jsonl list.csv          report every entry as JSON
              termgallery fetch --thumbnails out list.txt write thumbnails to tar files
              termgallery fetch --jsonl --resume done.jsonl list.csv >>done.jsonl
                                                          start a run, or continue it
            """
        case "compare":
            """
              termgallery compare before.png after.png    figures for two images
              termgallery compare -r --batch old new      two folders, one JSON object per pair
              git difftool --extcmd 'termgallery compare' changed images in a work tree
            """
        default: nil
        }
    }
}
