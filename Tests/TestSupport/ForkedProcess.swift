#if os(Linux)
    package import Foundation

    /// `fork`, which Swift does not offer, since little may be done in the child. This package may.
    package func forkProcess() -> pid_t { forkFunction()() }

    private func forkFunction() -> @convention(c) () -> pid_t {
        unsafeBitCast(dlsym(nil, "fork").unsafelyUnwrapped, to: (@convention(c) () -> pid_t).self)
    }

    /// Forks, runs a closure in the child and returns how the child ended, as `waitpid` says it. A thread
    /// forks that is made for it: one that ran Swift before may remember its number, which the child's first
    /// thread then has wrong, and wait without end for a lock of Swift's runtime (Platforms).
    package func statusOfChild(running body: () -> Int32) -> Int32 {
        struct Fork {
            let fork: @convention(c) () -> pid_t
            let body: () -> Int32
            var child: pid_t = -1
        }
        return withoutActuallyEscaping(body) { body in
            // Looked up here: the thread itself is to run as little Swift as possible before it forks.
            var (request, thread) = (Fork(fork: forkFunction(), body: body), pthread_t())
            var status: Int32 = -1
            withUnsafeMutablePointer(to: &request) { request in
                let failure = pthread_create(
                    &thread, nil,
                    { argument in
                        let request = argument.unsafelyUnwrapped.assumingMemoryBound(to: Fork.self)
                        let child = request.pointee.fork()
                        if child == 0 {
                            dieRatherThanHang()
                            _exit(request.pointee.body())
                        }
                        request.pointee.child = child
                        return nil
                    }, request)
                precondition(failure == 0, "no thread to fork on: error \(failure)")
                pthread_join(thread, nil)
                status = statusOfEnd(ofChild: request.pointee.child)
            }
            return status
        }
    }

    /// How a child ended, as `waitpid` says it. One that hangs within `fork`, before it has set its alarm, is
    /// killed after 90 seconds.
    package func statusOfEnd(ofChild child: pid_t) -> Int32 {
        precondition(child > 0, "fork has failed")
        var (status, looks): (Int32, Int) = (-1, 0)
        while waitpid(child, &status, WNOHANG) == 0 {
            looks += 1
            if looks == 90_000 { kill(child, SIGKILL) }
            usleep(1_000)
        }
        return status
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
