/// What a task with a composition draws, as the program described it. Made where the renderer is known to be
/// a ``CompositingRenderer``. Nothing in it changes.
@usableFromInline
final class CompositionSource<R: CompositingRenderer>: DrawWork, @unchecked Sendable {
    /// As the program has made them, and not copied: so they cost the main thread nothing here.
    private let parts: [Composition<R>.Part]

    @usableFromInline
    init(_ parts: [Composition<R>.Part]) { self.parts = parts }

    override var isComposition: Bool { true }

    /// Plans a draw, and finds the pictures that exist.
    ///
    /// - Throws: what the plan throws, and `DisplayError.tooManyBytes` if the draw would take more bytes than
    ///   the host's budget has.
    override func prepared(_ plan: DrawPlan) throws -> DrawPlan {
        let pipeline = plan.pipeline
        var composition = try CompositionPlan(parts.map(\.base), picture: plan.description)
        composition.find { keys in
            pipeline.cache?.find(keys) ?? keys.map { _ in nil }
        } byteCount: {
            pipeline.byteCount(of: $0)
        }
        // From here on the work has the pictures that were found, and leaves them.
        let work = CompositionWork<R>(composition, of: parts, pipeline.cache, pipeline.host.releases)
        let byteCount = try composition.peakByteCount(byteLimit: plan.contextByteLimit) {
            pipeline.byteCount(of: $0)
        }
        let limit = pipeline.host.budget.byteLimit
        guard byteCount <= limit else { throw DisplayError.tooManyBytes(needed: byteCount, limit: limit) }
        // At least the bytes of the draw whose place it takes.
        return DrawPlan(plan, work: work, byteCount: max(byteCount, plan.byteCount))
    }
}

/// Draws a composition into one picture.
///
/// It holds the pictures that were found for its parts until it has drawn, and those that it has drawn for
/// parts with keys until it is released.
// `plan` and `drawn` are handed over with the draw, as `Drawing` and `CompletionQueue` order it; all else is
// constant. Only the methods here access `plan`, none of which calls another while it changes it.
final class CompositionWork<R: CompositingRenderer>: RendererWork<R>, @unchecked Sendable {
    @exclusivity(unchecked) private var plan: CompositionPlan
    /// Retained: the plan's entries refer to their work, and the program's objects in them are released on
    /// the main actor.
    private let parts: [Composition<R>.Part]
    private let cache: PictureCache?
    private let releases: PictureReleases
    /// For each of the plan's missing keys. The drawing thread's; the main actor's once it has received the
    /// draw.
    private var drawn: [Picture?]

    /// - Parameter parts: those that were planned.
    init(
        _ plan: CompositionPlan, of parts: [Composition<R>.Part], _ cache: PictureCache?,
        _ releases: PictureReleases
    ) {
        (self.plan, self.parts, self.cache, self.releases) = (plan, parts, cache, releases)
        drawn = plan.missing.map { _ in nil }
    }

    deinit {
        releases.leave(plan.takeFound())
        releases.leave(drawn.compactMap { $0 })
    }

    /// Also of a draw that was stopped, or has failed.
    override func received() {
        guard let cache else { return }
        for (missing, picture) in zip(plan.missing, drawn) {
            if let picture { cache.insert(picture, for: missing.key) }
        }
    }

    /// Performs the plan. The contents of parts without a key are released once they are drawn into the
    /// whole.
    ///
    /// - Parameter scope: the whole's. Checked for cancellation before each part.
    /// - Throws: `CancellationError` then, or what the renderer or a draw closure threw.
    override func contents(
        of description: ContextDescription, _ scope: DrawScope, _ background: Background, _ renderer: R
    ) throws -> R.Contents {
        // Here, and not on the main thread, which leaves those of a draw that has not come here.
        defer { releases.leave(plan.takeFound()) }
        var contexts = [try renderer.makeContext(description, background)]
        for entry in plan.entries {
            try scope.checkCancellation()
            switch entry {
            case .part(let part):
                let contents = try contents(of: part, scope, renderer)
                try renderer.draw(contents, into: contexts[contexts.count - 1], placed: part.placement)
            case .beginGroup(let group):
                contexts.append(try renderer.makeContext(description.group(around: group.extent)))
            case .endGroup(let group):
                let contents = try renderer.makeContents(from: contexts.removeLast())
                let placement = ContentsPlacement(
                    transform: description.group(around: group.extent).place, opacity: group.opacity,
                    clips: group.clips)
                try renderer.draw(contents, into: contexts[contexts.count - 1], placed: placement)
            }
        }
        try scope.checkCancellation()
        return try renderer.makeContents(from: contexts[0])
    }

    private func contents(
        of part: PlannedPart, _ scope: DrawScope, _ renderer: R
    ) throws -> R.Contents {
        guard let slot = part.slot else { return try draw(part, scope, renderer) }
        if let picture = plan.found[slot] {
            return try picture.contents(R.Contents.self) ?? draw(part, scope, renderer)
        }
        let index = plan.missingIndices[slot]
        if let contents = drawn[index]?.contents(R.Contents.self) { return contents }
        // An older draw of the layer may have been received since this one was planned.
        if let picture = cache?.find([plan.missing[index].key])[0] {
            drawn[index] = picture
            if let contents = picture.contents(R.Contents.self) { return contents }
        }
        let contents = try draw(part, scope, renderer)
        drawn[index] = RendererPicture(contents, byteCount: plan.missing[index].byteCount)
        return contents
    }

    private func draw(_ part: PlannedPart, _ scope: DrawScope, _ renderer: R) throws -> R.Contents {
        let description = part.description
        let context = try renderer.makeContext(description, part.background)
        let partScope = DrawScope(
            size: part.size, scale: description.scale, isOpaque: description.isOpaque,
            sentinel: scope.sentinel)
        try unsafeDowncast(part.work, to: LayerWork<R>.self).draw(context, partScope)
        // The closure may not have checked; what it drew need not be placed, and may not be complete.
        try scope.checkCancellation()
        return try renderer.makeContents(from: context)
    }
}
