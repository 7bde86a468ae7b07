#if os(Linux)
    import Synchronization

    /// A run of consecutive slots, and a link to the next run: one page of memory.
    struct MailboxSegment: RawRepresentable, AtomicRepresentable {
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
        struct Link: RawRepresentable, AtomicRepresentable {
            let rawValue: UInt

            static func segment(_ segment: MailboxSegment) -> Link {
                Link(rawValue: UInt(bitPattern: segment.rawValue))
            }
            static func end(_ number: UInt64) -> Link {
                Link(rawValue: UInt(truncatingIfNeeded: number) << 1 | 1)
            }

            var segment: MailboxSegment? {
                rawValue & 1 == 0
                    ? UnsafeMutableRawPointer(bitPattern: rawValue).map(MailboxSegment.init(rawValue:)) : nil
            }

            var endNumber: UInt64 { UInt64(rawValue >> 1) }
        }

        /// Its address.
        let rawValue: UnsafeMutableRawPointer

        init(rawValue: UnsafeMutableRawPointer) { self.rawValue = rawValue }

        /// Makes a segment in uninitialized memory, not linked to another.
        init(initializing memory: UnsafeMutableRawPointer, number: UInt64) {
            rawValue = memory
            memory.bindMemory(to: Header.self, capacity: 1)
                .initialize(to: Header(number: Atomic(number), link: Atomic(.end(number))))
            let slots = (memory + Self.headerByteCount)
                .bindMemory(to: MailboxSlot.self, capacity: Int(Self.slotCount))
            for index in 0..<Int(Self.slotCount) { (slots + index).initialize(to: MailboxSlot()) }
        }

        /// The position of its first slot, while it is in the list.
        var firstPosition: UInt64? {
            let number = header.pointee.number.load(ordering: .acquiring)
            return number == .max ? nil : number * Self.slotCount
        }

        @inline(__always)
        var header: UnsafeMutablePointer<Header> { rawValue.assumingMemoryBound(to: Header.self) }

        @inline(__always)
        func slot(of position: UInt64) -> UnsafeMutablePointer<MailboxSlot> {
            (rawValue + Self.headerByteCount).assumingMemoryBound(to: MailboxSlot.self)
                + Int(truncatingIfNeeded: position % Self.slotCount)
        }
    }
#endif
