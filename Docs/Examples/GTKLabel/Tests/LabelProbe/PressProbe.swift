import AsyncLayers
import CGTK4
import CairoRendering
import Foundation
import GTKLayers

/// Shows a link and says where it is; when it is pressed, takes the press away and says what is highlighted
/// then.
@MainActor
final class PressProbe {
    /// How GTK comes to cancel a press.
    enum Taking: String {
        /// Another gesture claims it, as that of a GtkScrolledWindow does when a touch becomes a scroll.
        case claimed
        /// The widget becomes insensitive.
        case insensitive
    }

    private let taking: Taking
    private let widget: LabelWidget
    private let around = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)!
    private let drag = gtk_gesture_drag_new()!
    private var isTaken = false

    init(_ taking: Taking) {
        self.taking = taking
        var text = RichText()
        text.append("A link", style: TextStyle(size: 40), mark: .link("link"))
        widget = LabelWidget(text)
        widget.view.onPicture = { [unowned self] in showedPicture() }
        gtk_box_append(cgtk_box(around), widget.view.widget)
        gtk_widget_add_controller(around, cgtk_event_controller(UnsafeMutableRawPointer(drag)))
        let window = cgtk_window(gtk_window_new())!
        gtk_window_set_default_size(window, 300, 100)
        gtk_window_set_child(window, around)
        gtk_window_present(window)
    }

    /// Called while a frame is being drawn, which is done in a later turn of GLib's loop.
    private func showedPicture() {
        let isFirst = widget.view.statistics.pictures == 1
        Task { [self] in
            if isFirst { sayWhereTheLinkIs() }
            guard widget.label.highlighted != nil, !isTaken else { return }
            isTaken = true
            takePress()
            say(widget.label.highlighted == nil ? "nothing highlighted" : "still highlighted")
        }
    }

    private func sayWhereTheLinkIs() {
        guard let rect = widget.marks.first?.rects.first else { return }
        var (x, y) = (0.0, 0.0)
        gtk_widget_translate_coordinates(
            widget.view.widget, cgtk_widget(UnsafeMutableRawPointer(gtk_widget_get_root(around))),
            rect.midX, rect.midY, &x, &y)
        say("link at \(Int(x)) \(Int(y))")
    }

    private func takePress() {
        switch taking {
        case .claimed: gtk_gesture_set_state(drag, GTK_EVENT_SEQUENCE_CLAIMED)
        case .insensitive: gtk_widget_set_sensitive(widget.view.widget, 0)
        }
    }

    private func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
