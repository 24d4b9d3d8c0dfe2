internal import Glibc

/// The CPU time of the calling thread.
public enum ThreadTime {
    /// Returns the milliseconds of CPU time that `work` takes on this thread.
    public static func milliseconds(_ work: () -> Void) -> Double {
        let start = now()
        work()
        return now() - start
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }
}
