/// What accepts jobs until it is closed.
protocol JobIntake {
    /// Closes the intake, once. `body` is called when all that was accepted has ended.
    func close(whenDrained body: @escaping @Sendable () -> Void)

    /// Has jobs that have not begun cancelled when their turn comes.
    func cancelWaiting()
}
