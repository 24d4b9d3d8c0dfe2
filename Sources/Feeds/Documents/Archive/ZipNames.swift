/// The encodings of names in zip archives: UTF-8, the character set that the user specifies, or that
/// of the first IBM PC.
package enum ZipNames {
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
