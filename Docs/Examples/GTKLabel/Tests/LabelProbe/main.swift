// A link under GTK, whose press is taken away: `LabelProbe claimed|insensitive`.

import CGTK4
import MainLoopBridges

guard CommandLine.arguments.count == 2, let taking = PressProbe.Taking(rawValue: CommandLine.arguments[1])
else {
    print("usage: \(CommandLine.arguments[0]) claimed|insensitive")
    exit(64)
}
gtk_init()
try GLibMainLoopSource()
let probe = PressProbe(taking)
g_main_loop_run(g_main_loop_new(nil, 0))
