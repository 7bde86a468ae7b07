/// Waits until what the last measurement left behind has come to rest.
enum Quiescence {
    /// Returns once all threads of the process together use less than a tenth of one core, over two
    /// milliseconds and twice in a row. Some contenders' workers spin before they park, and would take time
    /// from the next contender. Returns after half a second at the latest: then something spins forever, and
    /// the figures show it.
    static func wait() {
        let deadline = Clock.now + 500_000_000
        var calm = 0
        while calm < 2, Clock.now < deadline {
            let (time, used) = (Clock.now, Clock.processorTime)
            Clock.sleep(microseconds: 2_000)
            calm = (Clock.processorTime - used) * 10 < Clock.now - time ? calm + 1 : 0
        }
    }
}
