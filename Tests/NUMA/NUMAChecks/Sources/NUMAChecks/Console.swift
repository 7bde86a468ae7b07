import Glibc

/// Writes a line at once: what was found must be on the console when the next check takes the program, or the
/// machine, down.
func printLine(_ line: String) {
    var rest = Array("\(line)\n".utf8)[...]
    while !rest.isEmpty {
        let written = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        if written < 0 {
            guard errno == EINTR else { return }
        } else {
            rest = rest.dropFirst(written)
        }
    }
}
