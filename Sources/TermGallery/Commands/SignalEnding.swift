/// Thrown to end the process by a signal, once everyone on the way has tidied up.
struct SignalEnding: Error, Equatable {
    let signal: Int32
}
