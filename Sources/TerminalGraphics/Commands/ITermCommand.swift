/// The command of iTerm2's inline images, appended to bytes.
public enum ITermCommand {
    /// Shows a picture at the cursor, `columns` by `rows` cells large whatever its own shape.
    ///
    ///     ESC ] 1337 ; File=inline=1;size=…;width=…;height=…;preserveAspectRatio=0 : base64 BEL
    ///
    /// The cursor then stands where the terminal's maker thought best: move it absolutely. With
    /// `keepsCursor` WezTerm leaves it where it was; others overlook that. The picture must
    /// be a PNG or JPEG file.
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
