import Glibc
import Testing

/// A real nginx on loopback, started for one test.
///
/// The test opens the socket and nginx inherits it, so there is neither a race for the port nor a
/// wait for nginx: connections queue until it serves them.
final class NginxServer {
    let port: Int
    let folder = TestFolder()
    /// The certificate of a server with TLS.
    let certificatePath: String?
    private let process: ServerProcess

    /// Starts nginx with `locations` in the `server` block and `http` in the `http` block; FOLDER
    /// is replaced by the folder.
    init(
        _ locations: String,
        http: String = "",
        tls: Bool = false,
        isExpired: Bool = false
    ) throws {
        try #require(
            ServerProcess.run(["sh", "-c", "command -v nginx >/dev/null"]) == 0,
            "nginx is missing: run make setup"
        )
        let listener = LoopbackServer.listen()
        defer { close(listener.file) }
        port = listener.port
        let certificate = tls ? try TestCertificate(in: folder, isExpired: isExpired) : nil
        certificatePath = certificate?.certificatePath
        let server = Self.server(port: port, certificate, locations)
        let configuration = folder.write(
            Self.frame(folder.path, "\(http.replacing("FOLDER", with: folder.path))\n\(server)"),
            to: "nginx.conf"
        )
        process = ServerProcess(
            ["nginx", "-e", "\(folder.path)/error.log", "-c", configuration],
            environment: ["NGINX": "3;"],
            listener: listener.file
        )
    }

    /// Returns a URL of the server, with its IP address or a name that the transport knows.
    func url(_ path: String, host: String = "127.0.0.1") -> String {
        "\(certificatePath == nil ? "http" : "https")://\(host):\(port)\(path)"
    }

    private static func server(
        port: Int,
        _ certificate: TestCertificate?,
        _ locations: String
    ) -> String {
        let tls = certificate.map {
            "ssl_certificate \($0.certificatePath); ssl_certificate_key \($0.keyPath);"
        }
        return """
            server {
                listen 127.0.0.1:\(port)\(certificate == nil ? "" : " ssl http2");
                \(tls ?? "")
                location /pixels { return 200 "pixels"; }
                location /to { return 302 $arg_url; }
                \(locations)
            }
            """
    }

    private static func frame(_ folder: String, _ http: String) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: "\n")
        return """
            daemon off;
            \(geteuid() == 0 ? "user root;" : "")
            worker_processes 1;
            pid \(folder)/nginx.pid;
            events {}
            http {
                access_log off;
                \(temporary)
                add_header X-Connection $connection always;
                \(http)
            }
            """
    }
}
