/// What a layer does for its pipeline, which does not know the renderer's type.
extension AsyncLayer: LayerOwner {
    func beginTask() -> PassTask {
        let task = delegate?.displayTask(for: self)
        task?.willDisplay?()
        var passTask = PassTask()
        if let task {
            passTask.key = task.key
            passTask.tier = task.tier
            passTask.placeholder = task.placeholderPicture
            passTask.didDisplay = task.didDisplay
        }
        if let composer {
            passTask.composed = ComposedTree(root: self, task?.draw, composer)
        } else if let draw = task?.draw {
            passTask.work = RendererWork(renderer, .layer(draw))
        }
        return passTask
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
