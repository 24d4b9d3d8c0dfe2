import ArgumentParser
import GalleryCore
import ImageLoading

/// The `termgallery info` command, which prints the metadata of image files.
struct InfoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Print the metadata of images: camera, place, description, texts.",
        discussion: """
            Reads EXIF, IPTC and XMP, also from the XMP sidecar of an image, and the texts of PNG \
            files. --json prints an array with one object per file; the names and values of its \
            fields are those of `exiftool -j`, and with --numeric those of `exiftool -j -n`.
            """
    ).withoutCompletions

    @Argument(
        help: ArgumentHelp("Image files.", valueName: "file"),
        completion: .file()
    )
    var files: [String]

    @Flag(help: "Print a JSON array.")
    var json = false

    @Flag(help: "Print numbers instead of texts such as \"1/250\" in the JSON array.")
    var numeric = false

    @OptionGroup(title: "Loading") var loading: LoadingArguments

    func validate() throws {
        guard json || !numeric else { throw ValidationError("--numeric needs --json.") }
    }

    func run() throws {
        try InterruptGuard.start()
        let manager = try loading.makeManager()
        defer { manager.endHelpers() }
        var run = InfoRun(manager: manager, style: json ? .json(isNumeric: numeric) : .lines)
        run.tell(files)
        try run.output.check()
        guard run.failedCount == 0 else { throw ProgramFailure(.someFailed) }
    }
}
