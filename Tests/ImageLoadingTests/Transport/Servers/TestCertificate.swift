import Glibc
import Testing

/// Our own certificate for 127.0.0.1 and a.example, created with the `openssl` program; it is
/// trusted only by programs that are configured for it.
struct TestCertificate {
    let certificatePath: String
    let keyPath: String

    init(in folder: TestFolder, isExpired: Bool = false) throws {
        certificatePath = "\(folder.path)/certificate.pem"
        keyPath = "\(folder.path)/key.pem"
        let status = ServerProcess.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-nodes", "-days", "2", "-subj", "/CN=ImageLoading tests", "-addext",
            "subjectAltName=IP:127.0.0.1,DNS:a.example", "-keyout", keyPath, "-out",
            certificatePath,
        ])
        try #require(status == 0, "the openssl program is missing or failed: run make setup")
        guard isExpired else { return }
        let renewal = ServerProcess.run([
            "openssl", "x509", "-in", certificatePath, "-signkey", keyPath, "-days", "-1", "-out",
            certificatePath + ".expired",
        ])
        let isRenamed = rename(certificatePath + ".expired", certificatePath) == 0
        try #require(renewal == 0 && isRenamed, "openssl makes no certificate of yesterday")
    }
}
