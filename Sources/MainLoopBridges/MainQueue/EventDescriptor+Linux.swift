#if os(Linux)
    import CLinuxEvents
    import Foundation

    /// A descriptor that is closed with its object: an event, a timer, or a set of descriptors.
    final class EventDescriptor: Sendable {
        let descriptor: Int32

        /// Takes over a descriptor that was just made; throws if it could not be.
        init(_ descriptor: Int32) throws(MainLoopBridgeError) {
            guard descriptor >= 0 else {
                throw MainLoopBridgeError(
                    .system, "cannot make a descriptor to wait for: \(String(cString: strerror(errno)))")
            }
            self.descriptor = descriptor
        }

        deinit { close(descriptor) }

        /// Adds a descriptor to this one, which must be a set.
        func add(_ member: Int32, once: Bool = false) throws(MainLoopBridgeError) {
            let error = clinux_set_add(descriptor, member, once)
            guard error == 0 else {
                throw MainLoopBridgeError(
                    .system, "cannot wait for a descriptor: \(String(cString: strerror(error)))")
            }
        }
    }
#endif
