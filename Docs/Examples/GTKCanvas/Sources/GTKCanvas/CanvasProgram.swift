import AsyncLayers
import CGTK4
import Foundation
import GTKLayers
import MainLoopBridges

/// A widget that shows a board.
@MainActor
protocol Canvas: AnyObject {
    var widget: UnsafeMutablePointer<GtkWidget> { get }
    /// How many frames were drawn.
    var frames: Int { get }
    /// Asks GTK for a frame.
    func redraw()
}

extension Canvas {
    /// Tells a view the widget's size, at the beginning of a frame; returns the widget's pixels.
    func resize(_ view: BoardView) -> Rect {
        let scale = Double(gtk_widget_get_scale_factor(widget))
        let size = Size(
            width: Double(gtk_widget_get_width(widget)), height: Double(gtk_widget_get_height(widget)))
        do { try view.resize(to: size, scale: scale) } catch { fail("\(error)") }
        return Rect(size: size * scale)
    }
}

/// A board in a window: a drag pans, the wheel zooms, a click puts the ball there.
@main
@MainActor
final class CanvasProgram {
    private static let usage = """
        usage: GTKCanvas [--gl] [--screenshot FILE]

        Shows a large board in tiles. Drag to pan, wheel to zoom, click to put the ball there.

          --gl               draw with OpenGL, in a GtkGLArea, instead of with GTK's own textures
          --screenshot FILE  move the ball and the view, save what is seen as PNG, and quit
          --help             print this
        """

    /// Synchronous: an asynchronous one would leave the main thread to the main queue, and GTK needs it.
    static func main() {
        var (arguments, usesGL, path) = (CommandLine.arguments.dropFirst(), false, String?.none)
        while let argument = arguments.popFirst() {
            switch argument {
            case "--gl": usesGL = true
            case "--screenshot" where arguments.first?.isEmpty == false: path = arguments.popFirst()
            case "--help", "-h": return print(usage)
            default: fail("'\(argument)' is no option, or lacks its value\n\n\(usage)", status: 64)
            }
        }
        guard gtk_init_check() != 0 else { fail("there is no display", status: 69) }
        do {
            // From here on GLib's main loop serves the main queue and the main actor, and ends the turns.
            try GLibMainLoopSource()
        } catch { fail("\(error)") }
        CanvasProgram(usesGL: usesGL).run(screenshot: path)
    }

    private let view = BoardView()
    private let canvas: any Canvas
    private let window = cgtk_window(gtk_window_new())!
    private let loop = g_main_loop_new(nil, 0)!
    /// What was seen when a drag began.
    private var start = Point.zero

    private init(usesGL: Bool) {
        canvas = usesGL ? GLCanvas(view) : SnapshotCanvas(view)
        view.layer.onChange = { [unowned self] in canvas.redraw() }
        view.layer.onFailure = { fail("\($0)") }
        gtk_window_set_title(window, "GTKCanvas")
        gtk_window_set_default_size(window, 800, 500)
        gtk_window_set_child(window, canvas.widget)
        Signals.connect(window, "destroy") { [unowned self] in g_main_loop_quit(loop) }
        let drag = gtk_gesture_drag_new()!
        Signals.connect(drag, point: "drag-begin") { [unowned self] _, _ in start = view.origin }
        Signals.connect(drag, point: "drag-update") { [unowned self] x, y in
            show(start - Point(x: x, y: y) * (1 / view.zoom), zoom: view.zoom, isMoving: true)
        }
        Signals.connect(drag, point: "drag-end") { [unowned self] x, y in
            show(view.origin, zoom: view.zoom)
            var (startX, startY) = (0.0, 0.0)
            gtk_gesture_drag_get_start_point(drag, &startX, &startY)
            if hypot(x, y) < 4 { view.moveBall(to: start + Point(x: startX, y: startY) * (1 / view.zoom)) }
        }
        let wheel = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL)!
        Signals.connect(wheel, distance: "scroll") { [unowned self] _, notches in
            show(view.origin, zoom: min(max(view.zoom * pow(1.2, -notches), 0.1), 8), isMoving: true)
        }
        gtk_widget_add_controller(canvas.widget, cgtk_event_controller(UnsafeMutableRawPointer(drag)))
        gtk_widget_add_controller(canvas.widget, wheel)
    }

    private func show(_ origin: Point, zoom: Double, isMoving: Bool = false) {
        do { try view.show(origin, zoom: zoom, isMoving: isMoving) } catch { fail("\(error)") }
    }

    private func run(screenshot path: String?) {
        if let path {
            Task { [self] in
                do { try await makeTour(endingAt: path) } catch { fail("\(error)") }
                g_main_loop_quit(loop)
            }
        }
        gtk_window_present(window)
        g_main_loop_run(loop)
    }

    // MARK: The screenshot

    /// Where the ball goes, and what is seen meanwhile.
    static let tour = [
        (ball: Point(x: 340, y: 250), origin: Point.zero, zoom: 1.0),
        (ball: Point(x: 900, y: 300), origin: Point(x: 380, y: 96), zoom: 1),
        (ball: Point(x: 620, y: 290), origin: Point(x: 400, y: 100), zoom: 1.5),
        (ball: Point(x: 640, y: 300), origin: Point(x: 400, y: 100), zoom: 1.5),
    ]

    private func makeTour(endingAt path: String) async throws {
        for (ball, origin, zoom) in Self.tour {
            view.moveBall(to: ball)
            show(origin, zoom: zoom)
            // The first frame tells the layer what is seen, and the last one shows all of it.
            try await showFrame()
            await view.layer.settled()
            try await showFrame()
        }
        try Screenshot.save(canvas.widget, to: path)
    }

    private func showFrame() async throws {
        let count = canvas.frames
        canvas.redraw()
        while canvas.frames == count { try await Task.sleep(for: .milliseconds(5)) }
    }
}

/// Ends the program with a message.
func fail(_ message: String, status: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data("GTKCanvas: \(message)\n".utf8))
    exit(status)
}
