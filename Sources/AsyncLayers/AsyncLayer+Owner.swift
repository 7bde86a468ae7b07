/// What a layer does for its pipeline, which does not know the renderer's type.
extension AsyncLayer: LayerOwner {
    func beginTask() -> (BaseTask, (any ComposedLayers)?) {
        var base = BaseTask()
        if let delegate { DisplayTask.move(delegate.displayTask(for: self), into: &base) }
        base.willDisplay?()
        guard let composer else { return (base, nil) }
        let draw = DisplayTask<R>(base: base).draw
        base.work = nil
        return (base, ComposedTree(root: self, draw, composer))
    }

    var composingPipeline: DisplayPipeline? { composingLayer?.pipeline }

    /// Has the pipeline tell of changes only if somebody wants to know of them.
    func observeContents() {
        guard let contentsDidChange else { return pipeline.contentsDidChange = nil }
        pipeline.contentsDidChange = { [unowned pipeline] parcel, shownAt, wasPlaceholder in
            let former = FormerContents<R.Contents>(
                parcel, shownAt: shownAt, isPlaceholder: wasPlaceholder, pool: pipeline.host.pool)
            contentsDidChange(ContentsTransition(from: former, to: pipeline.display))
        }
    }
}
