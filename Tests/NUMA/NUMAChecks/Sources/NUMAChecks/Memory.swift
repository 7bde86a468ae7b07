import CPlacement
import Glibc

/// Where memory lies, as the kernel sees it.
enum Memory {
    /// The node that the page of an address lies on; nil where there is no memory: no thread has
    /// touched the page yet, or the address is not mapped.
    static func node(of address: UnsafeRawPointer) throws(KernelError) -> Int? {
        let node = cplacement_node_of_page(address)
        if node == -ENOENT || node == -EFAULT { return nil }
        guard node >= 0 else { throw KernelError(call: "move_pages", number: -node) }
        return Int(node)
    }

    /// The rule by which an address gets its memory.
    struct Policy: Equatable {
        /// The nodes that the rule names; empty for the default, the node of the thread that touches it
        /// first.
        var nodes: Set<Int>
        /// Whether other nodes are forbidden even when those named have nothing left.
        var isStrict: Bool
    }

    /// The policy that holds for an address.
    static func policy(of address: UnsafeRawPointer) throws(KernelError) -> Policy {
        var (mask, isStrict) = (NumberMask(), CInt(0))
        try KernelError.check(
            cplacement_policy(address, mask.byteCount, &mask.words, &isStrict), "get_mempolicy")
        return Policy(nodes: mask.numbers, isStrict: isStrict != 0)
    }
}

/// Fresh pages of memory, for as long as this lives.
struct Pages: ~Copyable {
    let address: UnsafeMutableRawPointer
    private let byteCount: Int

    init(byteCount: Int = 4096) throws(KernelError) {
        let address = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let address, address != MAP_FAILED else { throw KernelError(call: "mmap", number: errno) }
        self.address = address
        self.byteCount = byteCount
    }

    deinit { munmap(address, byteCount) }

    func bind(to node: Int) throws(KernelError) {
        let mask = NumberMask([node])
        try KernelError.check(cplacement_bind(address, byteCount, mask.byteCount, mask.words), "mbind")
    }

    func touch() {
        for offset in stride(from: 0, to: byteCount, by: 4096) {
            address.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
        }
    }
}
