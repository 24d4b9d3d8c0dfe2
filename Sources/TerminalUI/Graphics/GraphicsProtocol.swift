public import Decoders

/// A protocol for sending pixels to a terminal.
public enum GraphicsProtocol: String, Sendable, CaseIterable {
    /// Kitty's protocol, with the image displayed at its placeholder characters.
    case kittyPlaceholders
    /// Kitty's protocol, with the image displayed at the cursor.
    case kitty
    /// iTerm2's inline images.
    case iterm
    /// DEC's sixels: six rows of pixels per character, in up to 256 colors.
    case sixel
}

/// The limits for an encoded image.
public struct GraphicsBudget: Sendable, Hashable {
    /// The maximum number of bytes sent to the terminal, including base64 and the commands.
    public var byteLimit: Int
    /// The maximum number of colors in a sixel image, from 2 to 256.
    ///
    /// The number is limited because a terminal has a limited number of color registers.
    public var colorLimit: Int

    /// Creates a budget.
    public init(byteLimit: Int, colorLimit: Int = 256) {
        self.byteLimit = byteLimit
        self.colorLimit = colorLimit
    }

    /// The budget for a terminal on this machine: 60 kB for a thumbnail of 190×220 pixels.
    public static let local = GraphicsBudget(byteLimit: 60_000)

    /// The budget for a terminal accessed over a network: 20 kB for a thumbnail of 190×220 pixels.
    public static let remote = GraphicsBudget(byteLimit: 20_000)

    /// Returns the budget for an image of `pixelCount` pixels.
    ///
    /// The unscaled budget is for a thumbnail of 190×220 pixels. For larger images, the budget
    /// grows in proportion to the number of pixels. For smaller images, it does not change.
    public func scaled(toPixels pixelCount: Int) -> GraphicsBudget {
        let thumbnails = max(1, Double(pixelCount) / (190 * 220))
        return GraphicsBudget(
            byteLimit: Int(Double(byteLimit) * thumbnails),
            colorLimit: colorLimit
        )
    }

    /// The value of `colorLimit`, clamped to the numbers of colors that sixels support.
    var sixelColorLimit: Int { min(max(2, colorLimit), 256) }
}

/// An encoded image, ready to be sent to the terminal.
public struct EncodedPicture: Sendable, Hashable {
    /// The encoding of the pixels.
    public enum Form: String, Sendable, CaseIterable {
        /// The red, green and blue bytes of each pixel.
        case rgb
        /// A zlib stream containing the red, green and blue bytes of each pixel.
        case zlibRGB
        /// A PNG file.
        case png
        /// A JPEG file.
        case jpeg
        /// A complete sixel control string, from its introducer to its terminator.
        case sixel
    }

    /// The bytes of the image before base64 encoding or, for sixels, the complete output.
    public let payload: [UInt8]
    /// The encoding of the payload.
    public let form: Form
    /// The number of pixels in each direction.
    ///
    /// This is half of the requested size if the budget does not allow more pixels and the terminal
    /// can enlarge the image.
    public let size: PixelSize

    /// Creates an image from the output of an encoder.
    public init(payload: [UInt8], form: Form, size: PixelSize) {
        self.payload = payload
        self.form = form
        self.size = size
    }

    /// The number of bytes sent to the terminal.
    ///
    /// For sixels, this is the payload itself. Otherwise, the payload is sent as base64 in
    /// commands.
    public var byteCountOnLine: Int {
        form == .sixel ? payload.count : Self.byteCountOnLine(payload: payload.count)
    }

    /// Returns the number of bytes sent for a payload of `count` bytes that are not sixels.
    ///
    /// This includes the base64 characters, an escape sequence for every 4,096 characters, and the
    /// keys of the first sequence.
    static func byteCountOnLine(payload count: Int) -> Int {
        let characters = Base64.count(of: count)
        let chunks = (characters + KittyCommand.chunkLength - 1) / KittyCommand.chunkLength
        return characters + chunks * 9 + 48
    }
}
