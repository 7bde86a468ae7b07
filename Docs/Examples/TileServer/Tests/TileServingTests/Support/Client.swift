import Dispatch
import Foundation

/// One connection to a server on this machine, with the plainest of HTTP/1.1: what it sends and when it
/// closes is the test's to say.
final class Client: Sendable {
    struct Answer: Sendable {
        let status: Int
        /// By their names in lower case.
        let headers: [String: String]
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    struct Failure: Error { let description: String }

    private let socket: Int32

    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure(description: "cannot connect: errno \(errno)") }
    }

    deinit { close(socket) }

    /// Sends a request, and does not wait.
    func send(_ path: String, method: String = "GET") throws {
        let text = "\(method) \(path) HTTP/1.1\r\nHost: test\r\n\r\n"
        guard Glibc.send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count else {
            throw Failure(description: "cannot send: errno \(errno)")
        }
    }

    /// How a client goes away.
    enum HangUp: CaseIterable {
        /// Both halves are closed, as by a browser.
        case close
        /// The connection is broken.
        case reset
        /// Only the sending half.
        case stopSending
    }

    func hangUp(_ way: HangUp) {
        switch way {
        case .close: shutdown(socket, Int32(SHUT_RDWR))
        case .stopSending: shutdown(socket, Int32(SHUT_WR))
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
            // Its number stays taken until the end, by another socket.
            let other = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            dup2(other, socket)
            Glibc.close(other)
        }
    }

    func get(_ path: String) async throws -> Answer {
        try send(path)
        // Reading blocks; on a thread of its own.
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try self.receive() }) }
        }
    }

    private func receive() throws -> Answer {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        func read() throws {
            let count = recv(socket, &block, block.count, 0)
            guard count > 0 else {
                throw Failure(description: "the connection ended after \(bytes.count) bytes")
            }
            bytes += block[..<count]
        }
        var head: Range<Int>?
        while head == nil {
            try read()
            head = bytes.firstRange(of: Array("\r\n\r\n".utf8))
        }
        guard let head else { throw Failure(description: "no head") }
        let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let fields = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
        let headers = Dictionary(
            fields.map { ($0[0].lowercased(), $0[1].trimmingCharacters(in: .whitespaces)) },
            uniquingKeysWith: { $1 })
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        while bytes.count < head.upperBound + length { try read() }
        let status = Int(lines[0].split(separator: " ")[1]) ?? 0
        return Answer(status: status, headers: headers, body: Array(bytes[head.upperBound...]))
    }
}
