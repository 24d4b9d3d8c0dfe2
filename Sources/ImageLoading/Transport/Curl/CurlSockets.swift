internal import Glibc

/// The sockets of connections that were used before, by their port on this side: libcurl tells that
/// port when a connection is used again, but not its socket.
///
/// Belongs to the curl thread. A connection is only used again after a transfer on it has ended,
/// when it is noted here; so what is found is the open one, whatever had its number or port before.
final class CurlSockets {
    private static let limit = 1_000

    private var socketOfPort: [Int: Int32] = [:]

    /// Takes note of the connection of a transfer that has ended.
    func note(_ connection: (socket: Int32, localPort: Int)) {
        // What it costs to forget them all: the next transfer on each is not checked.
        if socketOfPort.count >= Self.limit { socketOfPort = [:] }
        socketOfPort[connection.localPort] = connection.socket
    }

    /// Whether bytes wait on the connection from a port.
    func hasUnreadBytes(onPort localPort: Int) -> Bool {
        guard let socket = socketOfPort[localPort] else { return false }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }
}
