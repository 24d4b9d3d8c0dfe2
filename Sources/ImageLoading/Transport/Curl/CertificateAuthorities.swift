internal import Glibc

/// The paths of the trusted certificate authorities.
///
/// The system provides the authorities twice: in one file, and in a directory with many files. If
/// the directory is set, libcurl reads and parses the whole file again for each connection, which
/// blocks the transport's only thread for 20 ms. If only the file is set, libcurl caches the
/// result. The directory may contain authorities that are not in the file, so it is searched only
/// for a server whose certificate was refused without it.
struct CertificateAuthorities: Hashable {
    /// The file with the program's own authorities; nil if the system's authorities are used.
    let ownFile: String?
    /// The system's directory of authorities; nil if `ownFile` is set.
    private let folder: String?
    private let hasFile: Bool

    /// Creates the paths from a configuration.
    ///
    /// `systemFile` and `systemFolder` are the paths that were set when libcurl was built.
    init(
        _ configuration: CurlTransportConfiguration,
        systemFile: String?,
        systemFolder: String?
    ) {
        ownFile = configuration.trustedFile
        folder = ownFile == nil ? systemFolder : nil
        let file = ownFile ?? systemFile
        hasFile = file.map { access($0, R_OK) == 0 } ?? false
    }

    /// Returns the directory to search, or nil if no directory is searched.
    ///
    /// The directory is searched if there is no readable file, or if `isNeeded` is true because the
    /// server's certificate was refused without the directory.
    func folder(isNeeded: Bool) -> String? { isNeeded || !hasFile ? folder : nil }

    /// Whether there is a directory that is searched only after a certificate has been refused.
    var hasRest: Bool { hasFile && folder != nil }
}
