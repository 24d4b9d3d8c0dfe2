/// A user name and a password for one host; sent to that host only, never logged.
public struct Credentials: Hashable, Sendable {
    /// The user name.
    public var user: String
    /// The password.
    public var password: String

    /// Makes credentials.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of the password.
    public var description: String { "credentials of a user" }
    /// Nothing of the password.
    public var debugDescription: String { description }
    /// Nothing of the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
