internal import Glibc

/// Checks that the connections of one request use permitted IP addresses and have no unread bytes
/// from an earlier response.
///
/// This type performs no I/O.
struct CurlConnectionCheck {
    private let refusesPrivateAddresses: Bool
    private let isEncrypted: Bool
    /// Whether a socket was opened for the request.
    private(set) var hasOpenedSocket = false
    /// The `errno` of the socket that could not be opened; nil if no socket failed to open.
    var missingSocket: Int32?
    private var hasRefusedAddress = false
    /// Whether the previous response on the connection was longer than announced.
    ///
    /// The remaining bytes would be parsed as the start of this response. libcurl versions before
    /// 8.0 do not check for them.
    private(set) var hasTrailingBytes = false

    init(for attempt: CurlAttempt) {
        // The proxy's IP address is chosen by the user, not by the URL, so it may be private.
        refusesPrivateAddresses = attempt.refusesPrivateAddresses && attempt.proxy == nil
        isEncrypted = attempt.isEncrypted
    }

    /// Whether the host has IP addresses, but all of them are refused.
    var hasRefusedAll: Bool { hasRefusedAddress && !hasOpenedSocket }

    /// Returns whether a socket may be opened; `address` is nil if it is not an IP address.
    mutating func mayConnect(to address: IPAddress?) -> Bool {
        guard allows(address) else {
            hasRefusedAddress = true
            return false
        }
        hasOpenedSocket = true
        return true
    }

    /// Returns whether an address may be contacted; `address` is nil if it is not an IP address.
    func allows(_ address: IPAddress?) -> Bool {
        !refusesPrivateAddresses || address.map(AddressRule.isPublic) ?? false
    }

    /// Returns whether the connection has no unread bytes from an earlier response.
    ///
    /// Only reused connections without TLS are checked. On a TLS connection, other data may arrive
    /// at any time.
    mutating func isClean(hasUnreadBytes: () -> Bool) -> Bool {
        hasTrailingBytes = !hasOpenedSocket && !isEncrypted && hasUnreadBytes()
        return !hasTrailingBytes
    }
}

/// The sockets of connections that can be reused, keyed by local port.
///
/// If libcurl reuses a connection, it reports the local port but not the socket. A connection is
/// recorded here when a transfer on it has ended, and it can be reused only after that. The
/// recorded socket therefore belongs to the open connection, even if an earlier connection had the
/// same socket number or port. Use this object only on the curl thread.
final class CurlSockets {
    private static let limit = 1_000

    private var socketOfPort: [Int: Int32] = [:]

    /// Records the connection of a transfer that has ended.
    func note(_ connection: (socket: Int32, localPort: Int)) {
        // Dropping all sockets only means that the next transfer on each is not checked.
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
