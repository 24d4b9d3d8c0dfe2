/// When a stored picture is on the disk itself rather than in the system's page cache.
///
/// Neither changes what is seen while the system runs, whatever becomes of the process. They
/// differ after a power cut.
public enum DiskDurability: Hashable, Sendable {
    /// The system writes when it likes, within half a minute as a rule.
    ///
    /// What a power cut leaves torn doesn't fit its checksum, is deleted and fetched again.
    case whenConvenient
    /// `fsync` for each stored file and for the directory.
    ///
    /// What `flush` has waited for is not lost any more. A store takes about 0.1 to 0.7 ms longer on
    /// a solid-state disk; no load waits for it.
    case everyStore
}
