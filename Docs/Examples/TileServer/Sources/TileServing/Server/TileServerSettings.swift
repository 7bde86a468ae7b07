/// What can be chosen of a server.
public struct TileServerSettings: Sendable {
    /// The address to listen at. Default: 127.0.0.1.
    public var host = "127.0.0.1"
    /// The port to listen at; 0 for any that is free. Default: 8080.
    public var port = 8080
    /// How many threads draw the tiles in view, and how many the prefetched ones. Default: one per core.
    public var threads: Int?
    /// What bounds the store's memory.
    public var limits = TileStoreLimits()
    /// How many clients may be connected; others wait at the door. Default: 1,024.
    ///
    /// Keep it below the number of files that the process may have open (`ulimit -n`), or clients wait for
    /// one of these, up to a second longer than they need.
    public var maximumConnections = 1_024
    /// What the tiles show.
    public var picture: any TilePicture = Mandelbrot()

    /// The defaults.
    public init() {}
}
