import TestSupport

/// A target that keeps a list of lines.
final class Log: Sendable {
    private let recorder = Recorder<String>()

    func append(_ line: String) { recorder.append(line) }

    var lines: [String] { recorder.elements }
}
