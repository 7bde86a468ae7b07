/// How a tree of layers is drawn into one picture, decided before any memory is taken: a list of steps, in the
/// order in which they are drawn.
///
/// A layer is drawn in a context of its own, which becomes contents, which are drawn into the whole with the
/// transforms, the clips and the opacity that they have there; then what lies in it, from the lowest to the
/// topmost. Where a translucent layer holds others, all of that goes into a context of its own first, no
/// larger than what is visible of it, and is made translucent as one. Clips that hold for all of it are
/// applied to that as a whole.
///
/// What cannot be seen gets no step: hidden and fully transparent layers, with all that they hold, and
/// layers that lie outside of the picture or of their ancestors' masks.
struct LayerTreePlan: Sendable {
    enum Step: Hashable, Sendable {
        /// Draw the root right into the whole picture.
        case root
        /// Draw a layer of the tree in a context of its own, and place what it becomes.
        case picture(node: Int, ContextDescription, ContentsPlacement)
        /// Draw the steps up to the matching ``endGroup(_:)`` in a context of their own, which begins
        /// somewhere in the whole picture.
        case beginGroup(ContextDescription)
        /// Place what came of the group.
        case endGroup(ContentsPlacement)
    }

    /// The whole picture, or a tile of it.
    let picture: ContextDescription
    let steps: [Step]
    /// The most bytes of contexts and contents that are alive at once while the steps are done, by what the
    /// renderer says of the contexts; `Int.max` where the sum does not fit.
    let peakByteCount: Int

    /// Plans the drawing of a tree. O(layers · log layers · depth), without a recursion.
    ///
    /// - Parameters:
    ///   - picture: The root's whole picture, by ``ContextPlan``, or a tile of it.
    ///   - byteLimit: The most bytes that any single context may take.
    ///   - byteCount: The bytes of a context.
    /// - Throws: `LayerTreeError`, or a `DisplayError` about the size or the bytes of a layer that is not
    ///   hidden.
    init<R>(
        _ tree: LayerTree<R>, picture: ContextDescription, byteLimit: Int,
        byteCount: (ContextDescription) -> Int
    ) throws {
        var builder = LayerTreePlanBuilder(tree: tree, picture: picture)
        steps = try builder.build()
        self.picture = picture
        peakByteCount = try Self.peak(of: steps, picture: picture) { description in
            let needed = byteCount(description)
            guard (0...max(0, byteLimit)).contains(needed) else {
                throw DisplayError.tooManyBytes(needed: needed, limit: byteLimit)
            }
            return needed
        }
    }

    private static func peak(
        of steps: [Step], picture: ContextDescription, byteCount: (ContextDescription) throws -> Int
    ) throws -> Int {
        func sum(_ first: Int, _ second: Int) -> Int {
            let (sum, overflow) = first.addingReportingOverflow(second)
            return overflow ? .max : sum
        }
        var alive = [try byteCount(picture)]
        var peak = alive[0]
        for step in steps {
            switch step {
            case .root: break
            case .picture(_, let description, _):
                peak = max(peak, sum(alive[alive.count - 1], try byteCount(description)))
            case .beginGroup(let description):
                alive.append(sum(alive[alive.count - 1], try byteCount(description)))
                peak = max(peak, alive[alive.count - 1])
            case .endGroup:
                alive.removeLast()
            }
        }
        return peak
    }
}
