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
        // OpenSSL 3.4 and later refuse a negative number of days; earlier versions know no other way.
        let periods = [
            ["-days", "-1"], ["-not_before", "20200101000000Z", "-not_after", "20200102000000Z"],
        ]
        let isRenewed = periods.contains { period in
            ServerProcess.run(
                ["openssl", "x509", "-in", certificatePath, "-signkey", keyPath] + period
                    + ["-out", certificatePath + ".expired"]
            ) == 0
        }
        let isRenamed = rename(certificatePath + ".expired", certificatePath) == 0
        try #require(isRenewed && isRenamed, "openssl makes no certificate of yesterday")
    }
}
