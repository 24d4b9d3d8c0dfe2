/// Converts names in zip archives from UTF-8, a character set chosen by the user, or code page 437.
package enum ZipNames {
    /// Returns the name of a member in UTF-8.
    ///
    /// `flags` are the flags of its directory entry. `charset` is the character set of a name that
    /// is not in UTF-8, or nil for code page 437.
    package static func utf8(
        _ name: some Collection<UInt8>,
        _ flags: Int,
        charset: Charset? = nil
    ) -> [UInt8] {
        // Linux programs write UTF-8 without setting the flag.
        let isUTF8 = flags & 0x800 != 0 || String(validating: name, as: UTF8.self) != nil
        guard !isUTF8 else { return Array(name) }
        if let converted = charset?.utf8(Array(name)) { return converted }
        return name.flatMap { byte in
            byte < 0x80 ? [byte] : Array(String(upperHalf[Int(byte) - 0x80]).utf8)
        }
    }

    /// The upper half of code page 437, the character set of the first IBM PC.
    private static let upperHalf = Array(
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
            + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}"
    )
}
