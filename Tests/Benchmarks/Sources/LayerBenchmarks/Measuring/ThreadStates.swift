import CMeasuring
import Foundation

/// What the threads of this process do.
enum ThreadStates {
    /// True if no thread but the calling one runs or waits for a processor. On a busy machine, processor time
    /// does not tell: who waits for a processor uses none. True where the system does not list threads.
    static var othersSleep: Bool {
        let folder = "/proc/self/task"
        let own = String(measuring_thread_id())
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.allSatisfy { thread in
            // The state follows the name, which is in brackets and may hold any character.
            guard thread != own, let text = FileManager.default.contents(atPath: "\(folder)/\(thread)/stat"),
                let bracket = text.lastIndex(of: UInt8(ascii: ")")), bracket + 2 < text.endIndex
            else { return true }
            return text[bracket + 2] != UInt8(ascii: "R")
        }
    }
}
