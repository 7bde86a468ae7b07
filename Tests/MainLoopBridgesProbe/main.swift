#if os(Linux)
    // One scenario under one kind of loop that owns the main thread: `MainLoopBridgesProbe HOST SCENARIO`.

    import Dispatch
    import TransactionScenarios
    import Transactions

    startWatchdog()
    guard CommandLine.arguments.count == 3 else { failUsage() }
    let (hostName, scenarioName) = (CommandLine.arguments[1], CommandLine.arguments[2])

    if let scenario = BareScenario(rawValue: scenarioName), hostName == "none" {
        scenario.run()
    } else if let host = ProbeLoop.Kind(rawValue: hostName) {
        let loop = try ProbeLoop(host)
        if let scenario = HopScenario(rawValue: scenarioName) {
            scenario.start(on: loop)
        } else if let scenario = TurnScenario(rawValue: scenarioName) {
            scenario.start(on: loop)
        } else if let scenario = NestedScenario(rawValue: scenarioName) {
            scenario.start(on: loop)
        } else if let scenario = CommonScenario(rawValue: scenarioName) {
            scenario.start(on: MainLoop(queue: .main, perform: loop.post))
        } else {
            failUsage()
        }
        loop.run { false }
    } else {
        failUsage()
    }
#endif
