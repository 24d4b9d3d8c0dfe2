internal import Glibc

/// Where the certificate authorities are that are trusted.
///
/// The system has them twice, in one file and in a folder of many. With the folder libcurl reads and
/// parses all of the file for each connection, which takes 20 ms of the one thread that moves all bytes;
/// with the file alone it keeps what it has read. So the folder, which may have one that the file lacks,
/// is only looked into for a server whose certificate is refused without.
struct CertificateAuthorities: Hashable {
    /// A file in place of the system's; nil for those.
    let ownFile: String?
    /// The system's folder; nil with a file of one's own.
    private let folder: String?
    private let hasFile: Bool

    /// `systemFile` and `systemFolder` are those that libcurl was built with.
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

    /// The folder that is to be looked into, if any.
    func folder(isNeeded: Bool) -> String? { isNeeded || !hasFile ? folder : nil }

    /// Whether there is a folder that is looked into where it is needed only.
    var hasRest: Bool { hasFile && folder != nil }
}
