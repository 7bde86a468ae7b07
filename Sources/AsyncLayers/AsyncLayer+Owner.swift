/// What a layer does for its pipeline, which does not know the renderer's type.
extension AsyncLayer: LayerOwner {
    func turnEnds() { pipeline.turnEnds(self) }

    func beginTask(_ task: inout BaseTask) -> (any ComposedLayers)? {
        if let delegate { DisplayTask.move(delegate.displayTask(for: self), into: &task) }
        task.willDisplay?()
        guard let composer else { return nil }
        let draw = DisplayTask<R>(base: task).draw
        task.work = nil
        return ComposedTree(root: self, draw, composer)
    }

    var composingPipeline: DisplayPipeline? { composingLayer?.pipeline }

    /// Has the pipeline report changes only if there is a closure for them.
    func observeContents() {
        guard let contentsDidChange else { return pipeline.contentsDidChange = nil }
        pipeline.contentsDidChange = { [unowned pipeline] picture, facts in
            let former = FormerContents<R.Contents>(picture, facts, pool: pipeline.host.pool)
            contentsDidChange(ContentsTransition(from: former, to: pipeline.display.facts))
        }
    }
}
