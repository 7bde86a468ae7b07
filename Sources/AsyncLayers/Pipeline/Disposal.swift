import QueuePools

/// Carries an object to a background queue to be released there: pictures are big, and giving their memory
/// back costs the main thread milliseconds.
///
/// The object is moved into this box first, and the box is what the job captures. If the job captured the
/// object itself, the caller's own reference could be the last one to go.
final class Disposal<Value: Sendable>: @unchecked Sendable {
    // Written by `init` and by the one job that empties it; submitting the job orders the two.
    private var value: Value?

    private init(_ value: consuming Value) { self.value = consume value }

    /// Releases what `value` holds on a background queue, and sets it to nil. If the pool was shut down it is
    /// released here.
    static func dispose(of value: inout Value?, on pool: any JobSubmitting) {
        guard let taken = value.take() else { return }
        let box = Disposal(taken)
        _ = try? pool.async(qos: .background) { box.value = nil }
    }
}
