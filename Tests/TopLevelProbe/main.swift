// Shuts a pool down and displays a group at the top level, where the compiler prefers a synchronous method to
// an asynchronous one of the same name, also behind `await`: `TopLevelProbe`.

import AsyncLayers
import BitmapRendering
import QueuePools

let pool = try DefaultQueuePool(label: "probe", queuesPerTier: .exactly(1))
for _ in 0..<1_000 { try pool.async(qos: .utility) {} }
pool.forEach(0..<10, qos: .default) { _ in }
try await pool.run(forEach: 0..<10, qos: .default) { _ in }
try await pool.shutdown()
print("\(pool.statistics[.utility].finished) jobs have ended")

let layer = AsyncLayer(renderer: BitmapRenderer())
let artist = Artist()
layer.delegate = artist
layer.size = Size(width: 8, height: 8)
let group = DisplayGroup(timeLimit: .seconds(60))
group.add(layer)
let result = await group.display()
print("\(result.together) layer appeared")
print(layer.contents == nil ? "the layer is empty" : "the layer has contents")

@MainActor
final class Artist: AsyncLayerDelegate {
    func displayTask(for layer: AsyncLayer<BitmapRenderer>) -> DisplayTask<BitmapRenderer>? {
        DisplayTask { context, scope in context.fill(scope.bounds, with: .color(.black)) }
    }
}
