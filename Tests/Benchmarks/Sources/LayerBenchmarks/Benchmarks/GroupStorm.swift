import AsyncLayers
import BenchmarkHarness

/// Do the members of groups appear together if the groups overlap, and are displayed again before they have
/// appeared?
struct GroupStorm: Benchmark {
    let metrics = [
        metric(
            "group-storm-torn", "frames", .lower,
            """
            Groups {A, B}, {B, C}, {A, C} and {A…F} of layers with draws of 1 to 8 ms, one of them edited and displayed in \
            every second frame at 120 Hz: frames in which a member of an edit's group showed the edit, and another one \
            an older state. It must be none.
            """),
        metric(
            "group-storm-split", "frames", .lower,
            "In the same storm: the same, where a member that showed a later edit also counts as showing this one."
        ),
        metric(
            "group-storm-pictures", "pictures/s", .higher,
            "In the same storm: new pictures a second, of the layer among A, B and C that shows the fewest."),
    ]

    let plan = Plan(rounds: (1, 5), warmsUp: false)

    let trials = [
        Trial(Roster.ours) { host, scale in
            let host = try host.cast(to: AsyncLayerHost.self)
            let members = Member.all
            let delegates = members.map { AsyncLayerSource($0) }
            let layers = delegates.map { delegate in
                let layer = host.makeBareLayer()
                layer.delegate = delegate
                return layer
            }
            let displayGroups = groups.map { numbers in
                let group = host.makeGroup()
                for number in numbers { group.add(layers[number]) }
                return group
            }
            let course = Course(
                host, members, scale, display: { displayGroups[$0].display { _ in } },
                picture: { layers[$0].contents })
            for layer in layers { layer.cancelDisplay() }
            MainLoop.settle()
            guard course.tornCount == 0 else {
                throw MeasuringError("\(course.tornCount) frames showed a part of a group's edit")
            }
            return withExtendedLifetime(delegates) { course.readings }
        },
        withoutGroups(Roster.yyAsyncLayer), withoutGroups(Roster.byHand),
    ]

    /// The numbers of each group's members.
    private static let groups = [[0, 1], [1, 2], [0, 2], Array(0..<6)]

    private static func withoutGroups(_ kind: LayerKind) -> Trial {
        Trial(kind) { host, scale in
            let members = Member.all
            let layers = members.map { host.makeLayer($0) }
            let course = Course(
                host, members, scale, display: { for number in groups[$0] { layers[number].invalidate() } },
                picture: { layers[$0].picture })
            for layer in layers { layer.leaveView() }
            MainLoop.settle()
            return course.readings
        }
    }

    private static func metric(
        _ name: String, _ unit: String, _ better: Metric.Direction, _ summary: String
    ) -> Metric {
        Metric(name, unit: unit, better: better, ours: Roster.ours.name, summary: summary)
    }

    /// A layer's content: its pictures bear the number of the last edit.
    @MainActor
    private final class Member: DrawSource {
        var edit = 0
        /// Equal draws take equal times in all contenders.
        private var generator: SeededGenerator

        private init(_ number: Int) { generator = SeededGenerator(seed: UInt64(number)) }

        static var all: [Member] { (0..<6).map { Member($0) } }

        func nextDraw() -> Draw {
            let milliseconds = Double.random(in: 1...8, using: &generator)
            return Draw(number: edit) { share, isCancelled in
                Work.compute(milliseconds: milliseconds * share, isCancelled)
            }
        }
    }

    /// One storm, and what it showed.
    @MainActor
    private struct Course {
        let tornCount: Int
        let readings: [Reading]

        /// - Parameters:
        ///   - display: displays the group with this number.
        ///   - picture: what the layer with this number shows.
        init(
            _ host: any LayerHost, _ members: [Member], _ scale: Scale, display: (Int) -> Void,
            picture: (Int) -> Picture?
        ) {
            let frames = scale.pick(quick: FrameTicks.hertz / 2, full: 4 * FrameTicks.hertz)
            // Those that a member does not show yet.
            var edits: [(number: Int, members: [Int])] = []
            var shown = members.map { _ in 0 }
            var (tornCount, splitCount, pictureCounts) = (0, 0, [0, 0, 0])
            let (groups, start) = (GroupStorm.groups, Clock.now)
            _ = MainLoop.runFrames(
                frames, host: host,
                begin: { frame, _ in
                    guard frame.isMultiple(of: 2) else { return }
                    let (number, group) = (frame / 2 + 1, frame / 2 % groups.count)
                    for member in groups[group] { members[member].edit = number }
                    edits.append((number, groups[group]))
                    display(group)
                },
                end: { _ in
                    let before = shown
                    shown = members.indices.map { picture($0)?.number ?? 0 }
                    for number in pictureCounts.indices where shown[number] != before[number] {
                        pictureCounts[number] += 1
                    }
                    edits.removeAll { edit in edit.members.allSatisfy { shown[$0] >= edit.number } }
                    let split = edits.filter { edit in edit.members.contains { shown[$0] >= edit.number } }
                    if !split.isEmpty { splitCount += 1 }
                    if split.contains(where: { edit in edit.members.contains { shown[$0] == edit.number } }) {
                        tornCount += 1
                    }
                })
            let seconds = Double(Clock.now - start) / 1e9
            let pictures = Double(pictureCounts.min() ?? 0) / seconds
            self.tornCount = tornCount
            readings = [Double(tornCount), Double(splitCount), pictures].map { Reading($0) }
        }
    }
}
