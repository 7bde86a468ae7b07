// One scenario under GLib's main loop: `GLibProbe waiting|polling SCENARIO`.

import CGTK4
import Foundation
import MainLoopBridges

startWatchdog()
let arguments = CommandLine.arguments
guard arguments.count == 3, let scenario = Scenario(rawValue: arguments[2]),
    ["waiting", "polling"].contains(arguments[1])
else {
    print("usage: \(arguments[0]) waiting|polling SCENARIO")
    exit(64)
}
SleepCounter.install()
let source = try GLibMainLoopSource(polling: arguments[1] == "polling")
scenario.start(under: source)
g_main_loop_run(g_main_loop_new(nil, 0))
