import AsyncLayers
import CGTK4
public import CairoRendering

/// A GTK widget with a text whose links and mentions can be clicked: laid out by Pango and drawn by Cairo off
/// the main thread.
///
/// Keep it for as long as there is something to show. *Main-actor isolated.*
@MainActor
public final class LabelWidget {
    /// The text and what is done when a link is clicked.
    public let label: TextLabel

    /// What is in the window.
    public let view: LayerWidget

    /// What is shown.
    public var text: RichText {
        get { label.text }
        set {
            label.text = newValue
            updateHeight()
        }
    }

    private var measuring: Task<Void, Never>?

    /// Makes a widget with a text.
    public init(_ text: RichText) {
        label = TextLabel(text)
        view = LayerWidget(label.layer)
        view.onSizeChange = { [weak self] _ in self?.updateHeight() }
        addPointer()
    }

    /// The links and mentions on show, with their rectangles in the widget.
    public var marks: [TextLayout.MarkedRange] { label.shownLayout?.marks ?? [] }

    /// Asks for the height that the text takes in the widget's width. It is measured on the pool, and the
    /// layout is the one that is drawn with then.
    private func updateHeight() {
        measuring?.cancel()
        let width = label.layer.size.width
        guard width > 0 else { return }
        measuring = Task { [weak self, label] in
            guard let layout = try? await label.layout(width: width), !Task.isCancelled else { return }
            self?.view.minimumHeight = layout.size.height
        }
    }

    private func addPointer() {
        let click = gtk_gesture_click_new()!
        Signals.connect(click, click: "pressed") { [weak self] x, y in
            self?.label.press(at: Point(x: x, y: y))
        }
        Signals.connect(click, click: "released") { [weak self] x, y in
            self?.label.release(at: Point(x: x, y: y))
        }
        // GTK takes the press away: a touch has become a scroll, say.
        Signals.connect(click, sequence: "cancel") { [weak self] in self?.label.cancelPress() }
        let pointer = gtk_event_controller_motion_new()!
        Signals.connect(pointer, point: "motion") { [weak self] x, y in
            self?.pointerMoved(to: Point(x: x, y: y))
        }
        // The widget takes both over.
        gtk_widget_add_controller(view.widget, cgtk_event_controller(UnsafeMutableRawPointer(click)))
        gtk_widget_add_controller(view.widget, pointer)
    }

    private func pointerMoved(to point: Point) {
        label.movePress(to: point)
        gtk_widget_set_cursor_from_name(view.widget, label.mark(at: point) == nil ? "default" : "pointer")
    }
}
