/// What decides how long a body on disk answers without its server being asked.
public enum CachePolicy: Hashable, Sendable {
    /// The server, by HTTP's rules (RFC 9111): Cache-Control, Expires, Age, validators; a picture
    /// that `no-store` came with is not kept on disk.
    case respectHTTP
    /// Nobody: a picture never changes under its URL, and every one is kept until it is cleaned
    /// away.
    ///
    /// `refreshCached` asks all the same.
    case ignoreHTTP
}
