#if os(Linux)
    // One scenario under one kind of loop that owns the main thread: `MainLoopBridgesProbe LOOP SCENARIO`.

    import Dispatch
    import TransactionScenarios
    import QueuePoolsTransactions

    startWatchdog()
    guard CommandLine.arguments.count == 3 else { failUsage() }
    let (loopName, scenarioName) = (CommandLine.arguments[1], CommandLine.arguments[2])

    if let scenario = BareScenario(rawValue: scenarioName), loopName == "none" {
        scenario.run()
    } else if loopName == "frameLoop", let scenario = FrameLoopScenario(rawValue: scenarioName) {
        try scenario.run()
    } else if loopName == "frameLoop", let scenario = WatchScenario(rawValue: scenarioName) {
        try scenario.run()
    } else if loopName == "frameLoop", let scenario = TimeScenario(rawValue: scenarioName) {
        try scenario.run()
    } else if let kind = ProbeLoop.Kind(rawValue: loopName) {
        let loop = try ProbeLoop(kind)
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
