import ArgumentParser
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// The options for picking, labeling and opening images, shared by the commands that open the
/// gallery.
struct SelectionArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Append each label to a file, one JSON object per line. Labels in the file are "
                + "restored "
                + "at the next start.",
            valueName: "file"
        ),
        completion: .file()
    )
    var labels: String?

    @Option(
        help: ArgumentHelp(
            "The names of the labels 1 to 9, separated by commas.",
            valueName: "names"
        )
    )
    var labelNames = LabelNamesArgument(names: LabelSettings().names)

    @Option(
        help: ArgumentHelp(
            "The program that the key o opens images with (default: $TERMGALLERY_OPENER, "
                + "otherwise the desktop's).",
            valueName: "command"
        )
    )
    var opener: String?

    @Flag(help: "Let Enter print the image, or the marked images, on standard output and quit.")
    var pick = false

    @Flag(
        help: ArgumentHelp(
            "Print the marked images on standard output when the gallery is closed."
        )
    )
    var printMarked = false

    @Flag(
        name: .customLong("print0"),
        help: ArgumentHelp(
            "End each printed name with a NUL byte instead of a newline."
        )
    )
    var printZero = false

    @Flag(
        help: ArgumentHelp(
            "Print a JSON object for each image, with its caption, label and feed fields."
        )
    )
    var json = false

    /// Whether standard output is reserved for the names of picked images.
    ///
    /// If so, the screen is drawn directly on the terminal device.
    var prints: Bool { pick || printMarked }

    func validate() throws {
        guard !(pick && printMarked) else {
            throw ValidationError("--pick and --print-marked exclude each other.")
        }
        guard prints || !printZero else {
            throw ValidationError("--print0 needs --pick or --print-marked.")
        }
        guard prints || !json else {
            throw ValidationError("--json needs --pick or --print-marked.")
        }
        guard !(json && printZero) else {
            throw ValidationError("--json and --print0 exclude each other.")
        }
        guard labels?.isEmpty != true else {
            throw ValidationError("--labels takes the name of a file.")
        }
    }
}

/// A comma-separated list of label names on the command line.
struct LabelNamesArgument: ExpressibleByArgument, Equatable {
    let names: [String]

    init(names: [String]) {
        self.names = names
    }

    init?(argument: String) {
        let names = argument.split(separator: ",", omittingEmptySubsequences: false).map { name in
            String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        guard names.count <= LabelSettings.maximumCount, !names.contains(""),
            names.allSatisfy({ $0.count <= 40 })
        else { return nil }
        self.names = names
    }

    var defaultValueDescription: String { names.joined(separator: ",") }
}

extension GalleryOptions {
    /// Applies the options in `selection`.
    ///
    /// If a label file is requested, it is opened and its labels are applied.
    mutating func open(_ selection: SelectionArguments) throws {
        settings.picking =
            selection.pick ? .onEnter : selection.printMarked ? .markedAtEnd : .nothing
        endsNamesWithZero = selection.printZero
        printsRecords = selection.json
        settings.labeling.names = selection.labelNames.names
        // The program that opens images inherits this variable, as if the user had set it.
        if let opener = selection.opener {
            setenv("TERMGALLERY_OPENER", FileText.path(opener), 1)
        }
        guard let path = selection.labels else { return }
        let file = try LabelFile(path: path)
        labelFile = file
        settings.labeling.isKept = true
        settings.labeling.given = file.labels
        guard file.skippedLineCount > 0 else { return }
        let lines = file.skippedLineCount == 1 ? "1 line" : "\(file.skippedLineCount) lines"
        settings.labeling.remark = "\(FileText.shown(path)): left out \(lines) without a label"
    }
}
