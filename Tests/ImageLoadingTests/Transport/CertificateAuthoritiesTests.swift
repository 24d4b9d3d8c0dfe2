import Testing

@testable import ImageLoading

/// Where certificate authorities are looked for.
@Suite struct CertificateAuthoritiesTests {
    private func authorities(
        own: String? = nil,
        file: String?,
        folder: String?
    ) -> CertificateAuthorities {
        var configuration = CurlTransportConfiguration()
        (configuration.certificateAuthorityFile, configuration.environment) = (own, [:])
        return CertificateAuthorities(configuration, systemFile: file, systemFolder: folder)
    }

    @Test func `the folder is read only when needed, because libcurl keeps only the file`() {
        let both = authorities(file: "/dev/null", folder: "/etc")

        #expect(both.ownFile == nil && both.hasRest)
        #expect(both.folder(isNeeded: false) == nil)
        #expect(both.folder(isNeeded: true) == "/etc")
    }

    @Test(arguments: [nil, "/no such file"])
    func `without a file the folder is read immediately`(file: String?) {
        let folder = authorities(file: file, folder: "/etc")

        #expect(!folder.hasRest && folder.folder(isNeeded: false) == "/etc")
    }

    @Test func `a file of one's own replaces both`() {
        let own = authorities(own: "/dev/null", file: "/etc/passwd", folder: "/etc")

        #expect(own.ownFile == "/dev/null" && !own.hasRest)
        #expect(own.folder(isNeeded: true) == nil)
    }

    @Test func `a library without either is left unchanged`() {
        let none = authorities(file: nil, folder: nil)

        #expect(none.ownFile == nil && !none.hasRest && none.folder(isNeeded: true) == nil)
    }
}
