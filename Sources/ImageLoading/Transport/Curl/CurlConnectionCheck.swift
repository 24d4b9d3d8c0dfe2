internal import Glibc

/// The rules for the connections of one request: only permitted IP addresses, and no unread bytes.
///
/// This type does no I/O.
struct CurlConnectionCheck {
    private let refusesPrivateAddresses: Bool
    private let isEncrypted: Bool
    /// Whether a socket was opened for the request.
    private(set) var hasOpenedSocket = false
    /// The `errno` of a socket that could not be opened; nil if it was opened or not requested.
    var missingSocket: Int32?
    private var hasRefusedAddress = false
    /// Whether the connection's previous response was longer than announced.
    ///
    /// The trailing bytes would be parsed as the start of this response. libcurl checks for them
    /// only since version 8.0.
    private(set) var hasTrailingBytes = false

    init(for attempt: CurlAttempt) {
        // The proxy's IP address is chosen by the user, not by the URL, so it may be private.
        refusesPrivateAddresses = attempt.refusesPrivateAddresses && attempt.proxy == nil
        isEncrypted = attempt.isEncrypted
    }

    /// Whether the host has addresses, but none of them may be contacted.
    var hasRefusedAll: Bool { hasRefusedAddress && !hasOpenedSocket }

    /// Returns whether a socket may be opened to an address; nil stands for a non-IP address.
    mutating func mayConnect(to address: IPAddress?) -> Bool {
        guard allows(address) else {
            hasRefusedAddress = true
            return false
        }
        hasOpenedSocket = true
        return true
    }

    /// Returns whether an address may be contacted; nil stands for a non-IP address.
    func allows(_ address: IPAddress?) -> Bool {
        !refusesPrivateAddresses || address.map(AddressRule.isPublic) ?? false
    }

    /// Returns whether the connection that libcurl has chosen has no unread bytes before the
    /// response.
    ///
    /// New connections are not checked. Connections on which other data may arrive at any time,
    /// such as TLS connections, are not checked either.
    mutating func isClean(hasUnreadBytes: () -> Bool) -> Bool {
        hasTrailingBytes = !hasOpenedSocket && !isEncrypted && hasUnreadBytes()
        return !hasTrailingBytes
    }
}

/// The sockets of previously used connections, keyed by local port.
///
/// When libcurl reuses a connection, it reports the local port but not the socket. Use this object
/// only on the curl thread. A connection is reused only after a transfer on it has ended, and it is
/// recorded here at that time. A socket found here therefore belongs to the open connection, even
/// if an earlier connection had the same socket number or port.
final class CurlSockets {
    private static let limit = 1_000

    private var socketOfPort: [Int: Int32] = [:]

    /// Records the connection of a transfer that has ended.
    func note(_ connection: (socket: Int32, localPort: Int)) {
        // Forgetting all sockets only means that the next transfer on each is not checked.
        if socketOfPort.count >= Self.limit { socketOfPort = [:] }
        socketOfPort[connection.localPort] = connection.socket
    }

    /// Returns whether the connection from a local port has unread bytes.
    func hasUnreadBytes(onPort localPort: Int) -> Bool {
        guard let socket = socketOfPort[localPort] else { return false }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }
}
