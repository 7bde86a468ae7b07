import Hummingbird
import NIOCore

/// What comes with a request: here also its connection.
public struct TileRequestContext: RequestContext {
    /// What Hummingbird needs.
    public var coreContext: CoreRequestContextStorage
    /// The connection that the request came by.
    let channel: any Channel

    /// Called by Hummingbird for each request.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
