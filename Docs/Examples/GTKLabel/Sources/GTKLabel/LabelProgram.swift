import CGTK4
import Foundation
import MainLoopBridges

@main
@MainActor
struct LabelProgram {
    /// Synchronous: an asynchronous one would leave the main thread to the main queue, and GTK needs it.
    static func main() {
        let options: Options
        do {
            options = try Options(CommandLine.arguments.dropFirst())
        } catch {
            fail("\(error)\n\n\(Options.usage)", status: 64)
        }
        if options.help {
            print(Options.usage)
            return
        }
        guard gtk_init_check() != 0 else {
            fail("there is no display to open a window on: set DISPLAY or WAYLAND_DISPLAY", status: 1)
        }
        let window: LabelWindow
        do {
            // From here on GLib's main loop serves the main queue and the main actor, and ends the turns.
            try GLibMainLoopSource()
            window = LabelWindow(options)
        } catch {
            fail("\(error)", status: 1)
        }
        window.run()
        if let error = window.error { fail(error, status: 1) }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("GTKLabel: \(message)\n".utf8))
        exit(status)
    }
}
