import Foundation
import Synchronization

/// A headless Chromium, driven by its DevTools protocol through two pipes: messages in JSON, each ended by a
/// NUL.
final class Browser: Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    private let process: Process
    private let commands: FileHandle
    private let replies: Replies
    private let folder: URL
    private let session: Mutex<String?> = Mutex(nil)

    /// Opens an empty page of a size in pixels.
    init(width: Int, height: Int) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tiles-\(UUID().uuidString)")
        process = Process()
        // Chromium reads commands at descriptor 3 and writes at 4, which Foundation cannot set up: a shell
        // can.
        let command = """
            exec "$0" --headless=new --no-sandbox --disable-gpu --no-first-run --hide-scrollbars \
            --force-device-scale-factor=1 --force-color-profile=srgb --user-data-dir="$1" --remote-debugging-pipe \
            about:blank 3<&0 4>&1 </dev/null >/dev/null 2>&1
            """
        process.arguments = ["-c", command, try Self.executable().path, folder.path]
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        commands = input.fileHandleForWriting
        replies = Replies(output.fileHandleForReading)

        struct Target: Decodable { let targetId: String }
        struct Attachment: Decodable { let sessionId: String }
        let target: Target = try await call("Target.createTarget", ["url": "about:blank"])
        let attachment: Attachment = try await call(
            "Target.attachToTarget", ["targetId": target.targetId, "flatten": true])
        session.withLock { $0 = attachment.sessionId }
        try await perform(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func executable() throws -> URL {
        for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
            for name in ["chromium", "chromium-browser", "google-chrome"] {
                let path = "\(folder)/\(name)"
                if FileManager.default.isExecutableFile(atPath: path) { return URL(fileURLWithPath: path) }
            }
        }
        throw Failure(description: "there is no Chromium to open the page with: apt-get install chromium")
    }

    // MARK: What a test does with it

    func open(_ address: String) async throws {
        try await perform("Page.navigate", ["url": address])
    }

    /// What an expression is, as text.
    func evaluate(_ expression: String) async throws -> String {
        struct Evaluation: Decodable {
            struct Result: Decodable { let value: String? }
            let result: Result
        }
        let evaluation: Evaluation = try await call(
            "Runtime.evaluate", ["expression": "String(\(expression))", "returnByValue": true])
        return evaluation.result.value ?? ""
    }

    /// A picture of the page, as a PNG file.
    func screenshot() async throws -> [UInt8] {
        struct Screenshot: Decodable { let data: Data }
        let screenshot: Screenshot = try await call("Page.captureScreenshot", ["format": "png"])
        return [UInt8](screenshot.data)
    }

    /// Drags with the left button, in eight steps.
    func drag(from: (x: Int, y: Int), by way: (x: Int, y: Int)) async throws {
        func send(_ type: String, _ part: Int) async throws {
            try await perform(
                "Input.dispatchMouseEvent",
                [
                    "type": type, "x": from.x + way.x * part / 8, "y": from.y + way.y * part / 8,
                    "button": "left",
                    "buttons": 1, "clickCount": 1,
                ])
        }
        try await send("mousePressed", 0)
        for part in 1...8 { try await send("mouseMoved", part) }
        try await send("mouseReleased", 8)
    }

    /// Turns the wheel by a notch; up is above zero.
    func turnWheel(_ notches: Int, at place: (x: Int, y: Int)) async throws {
        try await perform(
            "Input.dispatchMouseEvent",
            ["type": "mouseWheel", "x": place.x, "y": place.y, "deltaX": 0, "deltaY": -120 * notches])
    }

    /// Tells where fingers are now.
    func touch(_ type: String, _ places: [(x: Int, y: Int)]) async throws {
        let points = places.enumerated().map { ["id": $0.offset, "x": $0.element.x, "y": $0.element.y] }
        try await perform("Input.dispatchTouchEvent", ["type": type, "touchPoints": points])
    }

    // MARK: The protocol

    private struct Nothing: Decodable {}

    private struct Envelope<Result: Decodable>: Decodable { let result: Result }

    private func perform(_ method: String, _ parameters: [String: Any]) async throws {
        let _: Nothing = try await call(method, parameters)
    }

    private func call<Result: Decodable>(
        _ method: String, _ parameters: [String: Any]
    ) async throws -> Result {
        let number = replies.nextNumber()
        var message: [String: Any] = ["id": number, "method": method, "params": parameters]
        if let session = session.withLock({ $0 }) { message["sessionId"] = session }
        let data = try JSONSerialization.data(withJSONObject: message)
        try commands.write(contentsOf: data + [0])
        let reply = try await replies.reply(number)
        do { return try JSONDecoder().decode(Envelope<Result>.self, from: reply).result } catch {
            throw Failure(description: "\(method): \(String(decoding: reply.prefix(500), as: UTF8.self))")
        }
    }
}
