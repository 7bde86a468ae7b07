// One scenario in one kind of main loop: `TransactionsProbe LOOP SCENARIO`.

import CoreFoundation
import Dispatch
import Foundation
import TransactionScenarios
import QueuePoolsTransactions

startWatchdog()
guard CommandLine.arguments.count == 3 else { failUsage() }
let (loopName, scenarioName) = (CommandLine.arguments[1], CommandLine.arguments[2])

/// Starts a scenario that any program with a main queue can run.
func start(on loop: MainLoop) {
    if let scenario = CommonScenario(rawValue: scenarioName) {
        scenario.start(on: loop)
    } else if let scenario = NestedLoopScenario(rawValue: scenarioName) {
        scenario.start(on: loop)
    } else {
        failUsage()
    }
}

let mainQueueLoop = MainLoop(queue: .main) { work in DispatchQueue.main.async { work() } }

switch loopName {
case "runLoop":
    if let scenario = TurnScenario(rawValue: scenarioName) { scenario.run() }
    start(on: mainQueueLoop)
    RunLoop.main.run()
case "dispatchMain":
    start(on: mainQueueLoop)
    dispatchMain()
case "polledLoop":
    start(on: mainQueueLoop)
    while true {
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, false)
        Thread.sleep(forTimeInterval: 0.001)
    }
case "ownLoop":
    let loop = OwnLoop()
    start(on: MainLoop(queue: loop.queue, perform: loop.perform))
    loop.run()
case "manualTurns":
    guard let loop = OwnLoop(endingTurnsOf: .main) else { fatalError("another loop ends the turns") }
    start(on: MainLoop(queue: loop.queue, perform: loop.perform))
    loop.run()
default:
    failUsage()
}
