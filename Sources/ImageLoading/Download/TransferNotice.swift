/// What a person may be told about the network while loads go on: each is worth a line, and none
/// is the end of a load.
public enum TransferNotice: Hashable, Sendable {
    /// A host fails again and again, and is left alone for a while; loads that wait for it go on
    /// when it answers. The error is the last one.
    case hostUnavailable(host: String, ImageLoadingError)
    /// The host answers again.
    case hostAvailable(host: String)
    /// The host refuses or resets connections beside others: at most so many transfers at once
    /// are tried from now on. Told once of each host.
    case fewerTransfers(host: String, count: Int)
    /// Memory, threads or descriptors of our own are short, as the error says: the same for all
    /// hosts. Told once.
    case outOfResources(ImageLoadingError, count: Int)
}
