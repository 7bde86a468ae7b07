import Hummingbird
import QueuePools

/// What the server answers.
struct TileRoutes {
    let store: TileStore
    let metrics: TileMetrics

    func router() -> Router<TileRequestContext> {
        let router = Router(context: TileRequestContext.self)
        router.get("/tiles/:z/:x/:file", use: tile)
        router.get("/metrics") { _, _ in
            Response(metrics.text(), type: "text/plain; version=0.0.4; charset=utf-8")
        }
        router.get("/healthz") { _, _ in Response("ok\n") }
        router.get("/") { _, _ in Response(PackageResources.index_html, type: "text/html; charset=utf-8") }
        router.get("/viewer.js") { _, _ in
            Response(PackageResources.viewer_js, type: "text/javascript; charset=utf-8")
        }
        return router
    }

    @Sendable
    private func tile(_ request: Request, _ context: TileRequestContext) async throws -> Response {
        do {
            let address = try TileAddress(
                z: context.parameters.require("z"), x: context.parameters.require("x"),
                file: context.parameters.require("file"))
            let urgency: Urgency
            switch request.uri.queryParameters["prefetch"] {
            case nil, "0": urgency = .interactive
            case "1": urgency = .prefetched
            default: throw TileAddress.Problem.malformed("prefetch is to be 0 or 1")
            }
            let png = try await context.channel.cancellingOnHangUp {
                try await store.tile(at: address, urgency: urgency)
            }
            return Response(png, type: "image/png", headers: [.cacheControl: "public, max-age=3600"])
        } catch let problem as TileAddress.Problem {
            switch problem {
            case .malformed: return Response("\(problem)\n", status: .badRequest)
            case .outside: return Response("\(problem)\n", status: .notFound)
            }
        } catch let refusal as PoolError {
            // Too many tiles wait, this one has for too long, or the server ends.
            return Response(
                "\(refusal)\n", status: .serviceUnavailable, headers: [.retryAfter: "1"])
        } catch is CancellationError {
            // The client has gone. For the log's sake it is no error of the server.
            return Response("", status: .init(code: 499, reasonPhrase: "Client Closed Request"))
        }
    }
}

extension Response {
    fileprivate init(
        _ text: String, status: HTTPResponse.Status = .ok, type: String = "text/plain; charset=utf-8",
        headers: HTTPFields = [:]
    ) {
        self.init(Array(text.utf8), status: status, type: type, headers: headers)
    }

    fileprivate init(
        _ bytes: [UInt8], status: HTTPResponse.Status = .ok, type: String, headers: HTTPFields = [:]
    ) {
        var headers = headers
        headers[.contentType] = type
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
