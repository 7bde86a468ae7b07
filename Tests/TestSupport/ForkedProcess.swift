#if os(Linux)
    package import Foundation

    /// `fork`, which Swift does not offer, since little may be done in the child. This package may.
    package func forkProcess() -> pid_t {
        let symbol = dlsym(nil, "fork").unsafelyUnwrapped
        return unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
    }

    /// Lets a child end in a minute whatever it waits for. On Dispatch's threads the signal is blocked at
    /// first.
    package func dieRatherThanHang() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGALRM)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        alarm(60)
    }
#endif
