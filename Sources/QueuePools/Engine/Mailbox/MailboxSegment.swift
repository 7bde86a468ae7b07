#if os(Linux)
    import Synchronization

    /// A run of consecutive slots, and a link to the next run: one page of memory.
    struct MailboxSegment: Hashable, AtomicRepresentable {
        static let slotCount: UInt64 = 124
        static let byteCount = headerByteCount + Int(slotCount) * MemoryLayout<MailboxSlot>.stride
        private static let headerByteCount = 128

        struct Header: ~Copyable {
            /// The positions from `number * slotCount` on are here; `.max` while the segment is not in the
            /// list.
            let number: Atomic<UInt64>
            let link: Atomic<Link>
        }

        /// The next segment; or, at the end of the list, the number of this one.
        struct Link: Hashable, AtomicRepresentable {
            private let bits: UInt

            static func segment(_ segment: MailboxSegment) -> Link {
                Link(bits: UInt(bitPattern: segment.address))
            }
            static func end(_ number: UInt64) -> Link {
                Link(bits: UInt(truncatingIfNeeded: number) << 1 | 1)
            }

            var segment: MailboxSegment? {
                bits & 1 == 0 ? UnsafeMutableRawPointer(bitPattern: bits).map(MailboxSegment.init) : nil
            }

            var endNumber: UInt64 { UInt64(bits >> 1) }

            private init(bits: UInt) { self.bits = bits }

            static func encodeAtomicRepresentation(_ value: consuming Link) -> UInt.AtomicRepresentation {
                UInt.encodeAtomicRepresentation(value.bits)
            }
            static func decodeAtomicRepresentation(_ value: consuming UInt.AtomicRepresentation) -> Link {
                Link(bits: UInt.decodeAtomicRepresentation(value))
            }
        }

        let address: UnsafeMutableRawPointer

        init(address: UnsafeMutableRawPointer) {
            self.address = address
        }

        /// Makes a segment in uninitialized memory, not linked to another.
        init(initializing memory: UnsafeMutableRawPointer, number: UInt64) {
            address = memory
            memory.bindMemory(to: Header.self, capacity: 1)
                .initialize(to: Header(number: Atomic(number), link: Atomic(.end(number))))
            let slots = (memory + Self.headerByteCount)
                .bindMemory(to: MailboxSlot.self, capacity: Int(Self.slotCount))
            for index in 0..<Int(Self.slotCount) { (slots + index).initialize(to: MailboxSlot()) }
        }

        @inline(__always)
        var header: UnsafeMutablePointer<Header> { address.assumingMemoryBound(to: Header.self) }

        @inline(__always)
        func slot(of position: UInt64) -> UnsafeMutablePointer<MailboxSlot> {
            (address + Self.headerByteCount).assumingMemoryBound(to: MailboxSlot.self)
                + Int(truncatingIfNeeded: position % Self.slotCount)
        }

        static func encodeAtomicRepresentation(
            _ value: consuming MailboxSegment
        ) -> UnsafeMutableRawPointer.AtomicRepresentation {
            UnsafeMutableRawPointer.encodeAtomicRepresentation(value.address)
        }
        static func decodeAtomicRepresentation(
            _ value: consuming UnsafeMutableRawPointer.AtomicRepresentation
        ) -> MailboxSegment {
            MailboxSegment(address: UnsafeMutableRawPointer.decodeAtomicRepresentation(value))
        }
    }
#endif
