// One scenario in one kind of host: `TransactionsProbe HOST SCENARIO`.

import CoreFoundation
import Dispatch
import Foundation
import TransactionScenarios
import Transactions

startWatchdog()
guard CommandLine.arguments.count == 3 else { failUsage() }
let (hostName, scenarioName) = (CommandLine.arguments[1], CommandLine.arguments[2])

/// Starts a scenario that any program with a main queue can run.
func start(on host: MainLoop) {
    if let scenario = CommonScenario(rawValue: scenarioName) {
        scenario.start(on: host)
    } else if let scenario = NestedLoopScenario(rawValue: scenarioName) {
        scenario.start(on: host)
    } else {
        failUsage()
    }
}

let mainQueueHost = MainLoop(queue: .main) { work in DispatchQueue.main.async { work() } }

switch hostName {
case "runLoop":
    if let scenario = TurnScenario(rawValue: scenarioName) { scenario.run() }
    start(on: mainQueueHost)
    RunLoop.main.run()
case "dispatchMain":
    start(on: mainQueueHost)
    dispatchMain()
case "polledLoop":
    start(on: mainQueueHost)
    while true {
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, false)
        Thread.sleep(forTimeInterval: 0.001)
    }
case "ownLoop":
    let loop = OwnLoop()
    start(on: MainLoop(queue: loop.queue, perform: loop.perform))
    loop.run()
case "manualTurns":
    guard let loop = OwnLoop(endingTurnsOf: .main) else { fatalError("somebody else ends the turns") }
    start(on: MainLoop(queue: loop.queue, perform: loop.perform))
    loop.run()
default:
    failUsage()
}
