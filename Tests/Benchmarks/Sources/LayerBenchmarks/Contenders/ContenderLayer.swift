import BenchmarkHarness

/// A layer of some contender: something that can be invalidated, and shows a picture some time later.
@MainActor
protocol ContenderLayer: AnyObject {
    /// The state has changed: a picture of the new one is wanted, in this turn of the main loop or at its
    /// end.
    func invalidate()

    /// Whether what is invalidated next, or waits to be drawn, is in view, or comes into it later.
    func comesIntoView(_ isInView: Bool)

    /// The layer has left the view. What a contender does then is up to it.
    func leaveView()

    /// What the layer shows.
    var picture: Picture? { get }
}

extension ContenderLayer {
    func comesIntoView(_ isInView: Bool) {}
}

/// A way to show pictures: makes layers that share what they would share in a program.
@MainActor
protocol LayerHost: AnyObject, Sendable {
    func makeLayer(_ source: any DrawSource) -> any ContenderLayer

    /// The program's code of this turn has run; the main loop comes next.
    func endTurn()

    /// Ends the host's own threads.
    func shutDown()
}

extension LayerHost {
    func endTurn() {}
    func shutDown() {}

    /// The host of a kind whose layers are to be used directly.
    func cast<Host>(to kind: Host.Type) throws -> Host {
        guard let host = self as? Host else { throw MeasuringError("\(type(of: self)) is no \(kind)") }
        return host
    }
}

/// A contender to be.
struct LayerKind: Sendable {
    let name: String
    let threads: ThreadSource
    /// Makes a host whose draws run on this many workers, where the contender lets one choose.
    let makeHost: @MainActor @Sendable (_ workers: Int) throws -> any LayerHost

    init(
        _ name: String, threads: ThreadSource,
        makeHost: @escaping @MainActor @Sendable (_ workers: Int) throws -> any LayerHost
    ) {
        self.name = name
        self.threads = threads
        self.makeHost = makeHost
    }
}

extension Trial {
    /// A trial that makes a host of its own, and measures on the main actor: the program's main thread.
    init(
        _ kind: LayerKind, isQuick: Bool = true,
        measure: @escaping @MainActor @Sendable (any LayerHost, Scale) throws -> [Reading]
    ) {
        self.init(kind.name, threads: kind.threads, isQuick: isQuick) { scale in
            let host = try MainActor.assumeIsolated { try kind.makeHost(scale.workers) }
            return Session(
                measure: { try MainActor.assumeIsolated { try measure(host, scale) } },
                end: { MainActor.assumeIsolated { host.shutDown() } })
        }
    }
}
