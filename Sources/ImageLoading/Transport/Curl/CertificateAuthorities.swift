internal import Glibc

/// The location of the trusted certificate authorities.
///
/// The system provides them twice: in one file and in a directory of many files. If the directory
/// is set, libcurl reads and parses the whole file for each connection, which blocks the
/// transport's only thread for 20 ms. With the file alone, libcurl caches the result. The directory
/// may contain an authority that the file lacks, so it is searched only for a server whose
/// certificate is refused without it.
struct CertificateAuthorities: Hashable {
    /// A file of authorities that replaces the system's authorities; nil if the system's
    /// authorities are used.
    let ownFile: String?
    /// The system's directory of authorities; nil if `ownFile` is set.
    private let folder: String?
    private let hasFile: Bool

    /// Creates the location from a configuration.
    ///
    /// `systemFile` and `systemFolder` are the paths that libcurl was built with.
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

    /// Returns the directory to search if `isNeeded` is true or there is no readable file, or nil
    /// if no directory is searched.
    ///
    /// `isNeeded` means that the server's certificate was refused without the directory.
    func folder(isNeeded: Bool) -> String? { isNeeded || !hasFile ? folder : nil }

    /// Whether there is a directory that is searched only after a certificate was refused without
    /// it.
    var hasRest: Bool { hasFile && folder != nil }
}
