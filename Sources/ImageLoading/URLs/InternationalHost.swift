import Glibc

/// Converts host names with non-ASCII letters to the form used by DNS and servers.
///
/// For example, "bücher.example" becomes "xn--bcher-kva.example". The conversion follows "domain to
/// ASCII" in the URL standard: percent-decoding, then nontransitional IDNA processing (UTS 46),
/// which libidn2 performs. libidn2 is loaded when the first such name is converted; libcurl needs
/// it too. All host checks apply to the converted name.
enum InternationalHost {
    private typealias Conversion =
        @convention(c) (
            UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, CInt
        ) -> CInt

    /// The maximum length of a name in bytes before the conversion.
    private static let mostBytes = 1024
    /// The flags `IDN2_NFC_INPUT` and `IDN2_NONTRANSITIONAL`.
    private static let flags: CInt = 1 | 8

    private static let convert: Conversion? = {
        guard let library = dlopen("libidn2.so.0", RTLD_NOW | RTLD_LOCAL),
            let function = dlsym(library, "idn2_to_ascii_8z")
        else { return nil }
        return unsafeBitCast(function, to: Conversion.self)
    }()

    /// Converts a host name to ASCII; the caller must check the characters of the result.
    static func ascii(_ host: some Collection<UInt8>) -> Result<[UInt8], URLProblem> {
        let name = PercentCoding.decoded(host)
        guard name.count <= mostBytes else { return .failure(URLProblem("host too long")) }
        guard !name.contains(0), String(validating: name, as: UTF8.self) != nil else {
            return .failure(URLProblem("invalid character in host"))
        }
        guard !name.allSatisfy({ $0 < 0x80 }) else { return .success(name) }
        guard let convert else {
            return .failure(URLProblem("host is not ASCII, which needs libidn2.so.0 (libidn2-0)"))
        }
        var converted: UnsafeMutablePointer<CChar>?
        defer { free(converted) }
        let text = name.map { CChar(bitPattern: $0) } + [0]
        guard convert(text, &converted, flags) == 0, let converted else {
            return .failure(URLProblem("invalid international host"))
        }
        return .success(Array(String(cString: converted).utf8))
    }
}
