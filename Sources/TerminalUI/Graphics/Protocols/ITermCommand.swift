internal import Decoders

/// A namespace for functions that append iTerm2 inline image commands to a byte array.
public enum ITermCommand {
    /// Displays an image at the cursor with a size of `columns` by `rows` cells, regardless of its
    /// aspect ratio.
    ///
    ///     ESC ] 1337 ; File=inline=1;size=…;width=…;height=…;preserveAspectRatio=0 : base64 BEL
    ///
    /// Afterward, the cursor position depends on the terminal, so use absolute coordinates to move
    /// the cursor. If `keepsCursor` is true, WezTerm does not move the cursor; other terminals
    /// ignore the option. The image must be a PNG or JPEG file.
    public static func image(
        _ picture: EncodedPicture,
        columns: Int,
        rows: Int,
        keepsCursor: Bool = true,
        to bytes: inout [UInt8]
    ) {
        precondition(picture.form == .png || picture.form == .jpeg, "iTerm2 takes files only")
        bytes.append("\u{1B}]1337;File=inline=1;size=\(picture.payload.count)")
        bytes.append(";width=\(columns);height=\(rows);preserveAspectRatio=0")
        if keepsCursor { bytes.append(";doNotMoveCursor=1") }
        bytes.append(UInt8(ascii: ":"))
        Base64.append(picture.payload[...], to: &bytes)
        bytes.append(7)
    }
}
