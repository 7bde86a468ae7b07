/// Runs steps of tasks, or of an actor, on the thread that calls it.
protocol StepExecutor: AnyObject, Sendable {
    func run(_ step: UnownedJob)
}
