/// A system call of the checks themselves that failed.
struct KernelError: Error, CustomStringConvertible {
    var call: String
    var number: CInt

    var description: String { "\(call): error number \(number)" }

    /// Throws unless a call returned 0.
    static func check(_ number: CInt, _ call: String) throws(KernelError) {
        guard number == 0 else { throw KernelError(call: call, number: number) }
    }
}
