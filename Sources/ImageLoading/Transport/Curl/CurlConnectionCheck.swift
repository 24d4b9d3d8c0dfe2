internal import Glibc

/// Which connections one request may use: those to addresses that may be asked, on which nothing is
/// left over.
///
/// Pure.
struct CurlConnectionCheck {
    private let refusesPrivateAddresses: Bool
    private let isEncrypted: Bool
    /// Whether a socket was opened for the request.
    private(set) var hasOpenedSocket = false
    /// Why the system gave no socket; nil if it did, or wasn't asked.
    var missingSocket: Int32?
    private var hasRefusedAddress = false
    /// Whether the connection's last answer was longer than it had said.
    ///
    /// The trailing bytes would be taken for the start of ours; libcurl looks for that since 8.0
    /// only.
    private(set) var hasTrailingBytes = false

    init(for attempt: CurlAttempt) {
        // A proxy's own address is the user's choice, not the URL's.
        refusesPrivateAddresses = attempt.refusesPrivateAddresses && attempt.proxy == nil
        isEncrypted = attempt.isEncrypted
    }

    /// Whether the host has addresses, but none that may be asked.
    var hasRefusedAll: Bool { hasRefusedAddress && !hasOpenedSocket }

    /// Whether a socket may be opened to an address, nil for one that is not IP.
    mutating func mayConnect(to address: IPAddress?) -> Bool {
        guard allows(address) else {
            hasRefusedAddress = true
            return false
        }
        hasOpenedSocket = true
        return true
    }

    /// Whether an address may be asked at all.
    func allows(_ address: IPAddress?) -> Bool {
        !refusesPrivateAddresses || address.map(AddressRule.isPublic) ?? false
    }

    /// Whether nothing stands before the answer on the connection that libcurl has chosen.
    ///
    /// Not asked of a new one, nor of one on which more than answers may come at any time, as with
    /// TLS.
    mutating func isClean(hasUnreadBytes: () -> Bool) -> Bool {
        hasTrailingBytes = !hasOpenedSocket && !isEncrypted && hasUnreadBytes()
        return !hasTrailingBytes
    }
}

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
