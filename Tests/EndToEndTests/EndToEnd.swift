import Testing

/// The built program, driven as a person drives it.
///
/// One test at a time: each keeps a thread waiting for a program that wants the processor itself.
@Suite(.serialized) enum EndToEnd {}

/// The same with everything around it at fault, which takes long and mostly waits: beside the others.
@Suite(.serialized) enum EndToEndFaults {}
