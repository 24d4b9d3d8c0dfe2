/// Waits while the condition is true, but not after the time limit of the test has cancelled it.
///
/// A condition that stays true then fails the test, and does not block the whole run.
func waitWhile(_ condition: @autoclosure () async -> Bool) async {
    while await condition(), !Task.isCancelled { await Task.yield() }
}
