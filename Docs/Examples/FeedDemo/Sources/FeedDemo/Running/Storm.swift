import Topology

/// The feed that a storm of invalidations is let loose on: as many cells as the machine has cores, so that
/// each could be drawn all the time. More would only share the cores, in whatever way they are drawn.
enum Storm {
    /// The first cells of a feed, one per active core, at least one.
    static func layouts<Layout: CellLayout>(
        from layouts: [Layout], cores: Int = CPUTopology.current().activeProcessorCount
    ) -> [Layout] {
        Array(layouts.prefix(max(cores, 1)))
    }
}
