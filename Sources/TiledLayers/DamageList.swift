import AsyncLayers
import QueuePoolsLocks

/// What has changed since it was last taken: rectangles of the content. *Thread-safe.*
///
/// So many rectangles are kept as they are; one more is united with that whose area grows least by it. So a
/// caret at the top and a clock at the bottom stay apart.
final class DamageList: Sendable {
    static let maximumCount = 64

    struct Damage {
        var rects: [Rect] = []
        /// Whether everything has changed.
        var isWhole = false

        var isEmpty: Bool { rects.isEmpty && !isWhole }

        mutating func insert(_ rect: Rect) {
            guard !isWhole, !rects.contains(where: { $0.contains(rect) }) else { return }
            guard rects.count == maximumCount else { return rects.append(rect) }
            func growth(_ index: Int) -> Double {
                let (present, union) = (rects[index].size, rects[index].union(rect).size)
                return union.width * union.height - present.width * present.height
            }
            guard let best = rects.indices.min(by: { growth($0) < growth($1) }) else { return }
            rects[best] = rects[best].union(rect)
        }
    }

    private let state = Lock(Damage())

    /// - Returns: whether it is the first since the damage was taken.
    func insert(_ rect: Rect) -> Bool {
        state.withLock { damage in
            let isFirst = damage.isEmpty
            damage.insert(rect)
            return isFirst
        }
    }

    /// - Returns: whether it is the first since the damage was taken.
    func insertWhole() -> Bool {
        state.withLock { damage in
            let isFirst = damage.isEmpty
            damage = Damage(isWhole: true)
            return isFirst
        }
    }

    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    func take() -> Damage {
        state.withLock { damage in
            defer { damage = Damage() }
            return damage
        }
    }
}
