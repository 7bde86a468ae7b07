// The gate links this program statically and runs it: topology, pool, layer, and a main loop of its own that
// must find the main queue's descriptor.

import AsyncLayers
import BitmapRendering
import Dispatch
import MainLoopBridges
import QueuePools
import QueuePoolsTopology

final class Square: AsyncLayerDelegate {
    func displayTask(for layer: AsyncLayer<BitmapRenderer>) -> DisplayTask<BitmapRenderer>? {
        DisplayTask { context, scope in context.fill(scope.bounds, with: .color(.black)) }
    }
}

@MainActor
func draw() async throws -> Bitmap? {
    let square = Square()
    let layer = AsyncLayer(renderer: BitmapRenderer())
    layer.size = Size(width: 64, height: 64)
    layer.delegate = square
    layer.setNeedsDisplay()
    try await layer.displayed()
    return layer.contents
}

let wakeUps = DispatchSemaphore(value: 0)
let waker = try MainLoopWaker { wakeUps.signal() }
precondition(!waker.isPolling, "the main queue cannot be waited for")
let pool = try DefaultQueuePool(label: "static")

var isDone = false
Task { @MainActor in
    let count = try await pool.run(qos: .utility) { CPUTopology.current().activeProcessorCount }
    let picture = try await draw()
    precondition(picture?[x: 63, y: 63].alpha == 255)
    try await pool.shutdown()
    print("ok: \(count) active processors, a picture of \(picture?.pixelWidth ?? 0) pixels")
    isDone = true
}
while true {
    waker.performTurn()
    if isDone { break }
    wakeUps.wait()
}
waker.invalidate()
