import Foundation

/// Prints a line for the test that started this program.
func report(_ line: String) { print(line) }

/// Ends the program; what was reported is written out.
func finish() -> Never { exit(0) }

/// Ends the program with an error after a minute, so that a lost wake-up fails a test and does not hang it.
func startWatchdog() {
    Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 60)
        print("timed out")
        fflush(nil)
        _exit(2)
    }
}
