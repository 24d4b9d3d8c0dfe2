/// A program that prints pictures as characters, and how it is told to: to 40×20 cells, as half
/// blocks in 24-bit colour, everything else as it comes.
public struct Program: Sendable {
    /// What it is called in tables.
    public let name: String
    /// The command without the pictures.
    public let command: [String]
    /// Whether it takes several pictures in one run.
    public let takesSeveral: Bool

    /// Ours, as `make release` builds it.
    public static let termgallery = termgallery(size: "40x20", symbols: "half")

    /// Ours with other cells and characters.
    public static func termgallery(size: String, symbols: String) -> Program {
        Program(
            name: "termgallery",
            command: [
                "../.build/release/termgallery", "print", "--size", size, "--columns", "1",
                "--colors", "24bit", "--symbols", symbols,
            ]
        )
    }

    /// On one thread, which is its default.
    public static let timg = Program(name: "timg", command: ["timg", "-g40x20", "-ph"])
    /// On one thread: that takes less CPU time than its default, a thread for each core.
    ///
    /// `vhalf` is the upper and lower half block alone; `half` has left and right halves too.
    public static let chafa = Program(
        name: "chafa",
        command: ["chafa", "--threads", "1", "-c", "full", "--symbols", "vhalf", "-s", "40x20"]
    )
    /// It counts half cells.
    public static let catimg = Program(
        name: "catimg",
        command: ["catimg", "-r", "2", "-w", "80"],
        takesSeveral: false
    )

    /// The programs that ours is compared with.
    public static let peers = [timg, chafa, catimg]

    /// Ours in 256 colours, with the ways to mix them, and the others in the same.
    public static let in256Colors =
        ["none", "ordered", "diffusion"].map { way in
            let options = ["--colors", "256", "--dither", way]
            return Program(name: way, command: termgallery.command + options)
        } + [timg.adding(["--color8"]), chafa.adding(["-c", "256"]), catimg.adding(["-t"])]

    /// Makes a program.
    public init(name: String, command: [String], takesSeveral: Bool = true) {
        self.name = name
        self.command = command
        self.takesSeveral = takesSeveral
    }

    /// The same with more options.
    public func adding(_ options: [String]) -> Program {
        Program(name: name, command: command + options, takesSeveral: takesSeveral)
    }
}
