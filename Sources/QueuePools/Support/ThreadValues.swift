#if os(Linux)
    import CQueuePoolsThreads
#elseif canImport(Darwin)
    import Darwin
#endif

/// Values of the calling thread. Zero at first.
enum ThreadValues {
    #if os(Linux)
        /// The address of the ``CancellationSource`` of the job that the thread runs.
        static var scope: UnsafeMutableRawPointer? {
            get { cqp_current_thread().pointee.scope }
            set { cqp_current_thread().pointee.scope = newValue }
        }

        /// The hash value of the task that stands in for none: see ``withoutContext(_:)``.
        static var standIn: Int {
            get { cqp_current_thread().pointee.stand_in }
            set { cqp_current_thread().pointee.stand_in = newValue }
        }
    #else
        private static let keys = (makeKey(), makeKey())

        private static func makeKey() -> pthread_key_t {
            var key = pthread_key_t()
            pthread_key_create(&key, nil)
            return key
        }

        static var scope: UnsafeMutableRawPointer? {
            get { pthread_getspecific(keys.0) }
            set { pthread_setspecific(keys.0, newValue) }
        }

        static var standIn: Int {
            get { Int(bitPattern: pthread_getspecific(keys.1)) }
            set { pthread_setspecific(keys.1, UnsafeRawPointer(bitPattern: newValue)) }
        }
    #endif
}
