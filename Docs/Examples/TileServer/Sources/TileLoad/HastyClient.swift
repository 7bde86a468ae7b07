import Foundation

/// A client that asks for one tile, waits for a while, and closes its socket.
enum HastyClient {
    enum Outcome {
        /// It left, at this time, before anything came.
        case abandoned(tile: String, at: UInt64)
        /// The answer was faster.
        case answered
        /// It could not connect, or not send.
        case failed
    }

    static func ask(port: UInt16, tile: String, milliseconds: Int32) -> Outcome {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return .failed }
        var isOpen = true
        defer { if isOpen { close(socket) } }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        let request = "GET /tiles/\(tile).png HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        guard status == 0, send(socket, request, request.utf8.count, 0) == request.utf8.count else {
            return .failed
        }
        var answer = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&answer, 1, milliseconds) == 0 else { return .answered }
        // Before it closes: what begins while it does counts as late, so that there are rather too many of
        // these.
        let time = Clock.now
        close(socket)
        isOpen = false
        return .abandoned(tile: tile, at: time)
    }
}
