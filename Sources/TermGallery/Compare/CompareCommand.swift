import ArgumentParser
import Feeds
import Glibc
import ImageLoading

/// The `termgallery compare` command, which compares pairs of images and prints figures.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Print how much two images, or the images of two folders, differ.",
        discussion: """
            Images in folders and archives are paired by their names. The table shows the largest \
            differences first: the number and share of the changed pixels, the mean and the 99th \
            percentile of the color difference (CIEDE2000), and the structural similarity (SSIM; 1 \
            means equal). Images are compared at full size, and only the first frame of an animation is \
            compared. A pixel is changed if its red, green, blue or alpha differs; ΔE and SSIM compare \
            the colors on white.

            With --batch, one JSON object per pair is printed in the order of the names: name, status \
            (equal, similar, different, sizeDiffers, onlyInA, onlyInB, failed), a and b (objects with \
            width and height), changed_pixels, changed_share (0 to 1), delta_e_mean, delta_e_p99, and \
            ssim (null if a side is shorter than 11 pixels). A failure has error with class, message, \
            side (a, b) and stage.

            The exit status is 0 if all pairs are equal or similar, and 1 otherwise.
            """
    ).withoutCompletions

    @Argument(
        help: ArgumentHelp(
            "Two images, or two folders or archives; or one folder that contains images with names "
                + "such as x-expected.png and x-actual.png.",
            valueName: "file"
        ),
        completion: .file()
    )
    var files: [String] = []

    @Flag(help: "Print one JSON object per pair.") var batch = false

    @Flag(
        name: [.customShort("r"), .long],
        help: "Read subfolders, too. A folder that is reached by several links is read once."
    )
    var recursive = false

    @Option(
        help: ArgumentHelp(
            "Accept changed images as similar if their SSIM is at least this value (0 to 1).",
            valueName: "value"
        )
    )
    var minSsim: Double?

    @OptionGroup(title: "Loading") var loading: LoadingArguments

    func validate() throws {
        guard minSsim.map({ (0...1).contains($0) }) ?? true else {
            throw ValidationError("--min-ssim takes a number from 0 to 1.")
        }
    }

    func run() throws {
        // The parser validates before it reports an unknown option, so the number is checked here.
        guard (1...2).contains(files.count) else {
            throw ProgramFailure(.usage, "name two images, two folders or two archives")
        }
        try InterruptGuard.start()
        let manager = try makeManager()
        let reader = ComparedSourceReader(
            reader: FeedReader(manager: manager),
            isRecursive: recursive
        )
        let run = CompareRun(
            manager: manager,
            pairs: try reader.pairs(files),
            leastSimilarity: minSsim,
            threadCount: CompareRun.threadCount(coreCount: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        )
        var output = CompareOutput(isBatch: batch)
        try run.run { output.take($0) }
        output.end()
        waitFor { await manager.flush() }
        manager.endHelpers()
        try output.result.check()
        guard output.isAccepted else { throw ProgramFailure(.someFailed) }
    }

    private func makeManager() throws -> ImageManager {
        var loading = loading
        // No image is needed twice, so a small memory cache is sufficient.
        if loading.memoryCache == nil { loading.memoryCache = 1 << 20 }
        return try loading.makeManager()
    }
}
