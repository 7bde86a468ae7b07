import Foundation
import Testing

@Suite("A program that a test runs", .timeLimit(.minutes(1)))
struct WatchdogTests {
    @Test("is killed when its time is up, so that no test waits for it forever")
    func hangs() throws {
        let program = try Program("sleep", package: "coreutils").start(["20"], limit: .milliseconds(50))
        #expect(program.nextLine() == nil)
        #expect(program.wait() == -SIGKILL)
    }

    @Test("is waited for while it has time left")
    func ends() throws {
        let program = try Program("sh", package: "dash").start(["-c", "echo line; exit 3"])
        #expect(program.remainingLines() == ["line"])
        #expect(program.wait() == 3)
    }
}
