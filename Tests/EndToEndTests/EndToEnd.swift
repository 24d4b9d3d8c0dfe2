import Testing

/// The built program, driven as a person drives it.
///
/// One test at a time: each keeps a thread waiting for a program that wants the processor itself.
@Suite(.serialized) enum EndToEnd {}
