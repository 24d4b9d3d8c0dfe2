import Glibc

/// Waits until a condition that nothing announces holds: what a server counted, what lies on disk.
func eventually(
    atMost patience: Duration = PseudoTerminal.patience,
    _ condition: () -> Bool
) -> Bool {
    let end = ContinuousClock.now + patience
    while !condition() {
        guard ContinuousClock.now < end else { return condition() }
        // Leaves the processor to the program that makes it true.
        poll(nil, 0, 5)
    }
    return true
}
