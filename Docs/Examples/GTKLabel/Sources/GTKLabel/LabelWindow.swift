import AsyncLayers
import CGTK4
import CairoRendering
import Foundation
import GTKLayers

/// A window with a label, a button that makes a storm, and a line that says what was done last.
@MainActor
final class LabelWindow {
    /// What went wrong, if the program has ended because of it.
    private(set) var error: String?

    private let options: Options
    private let window = cgtk_window(gtk_window_new())!
    private let status = cgtk_label(gtk_label_new("Press a link"))!
    private let label = LabelWidget(SampleText.make())
    private let loop = g_main_loop_new(nil, 0)!
    private lazy var storm = Storm(label) { [unowned self] in say($0) }

    init(_ options: Options) {
        self.options = options
        gtk_window_set_title(window, "GTKLabel")
        gtk_window_set_default_size(window, 460, 280)
        gtk_window_set_child(window, makeContents())
        Signals.connect(window, "destroy") { [unowned self] in g_main_loop_quit(loop) }
        label.label.onTap = { [unowned self] in say("clicked: \($0.mark.words)") }
        label.view.onPicture = { [unowned self] in showedPicture() }
    }

    /// Shows the window until it is closed or the time is up.
    func run() {
        if let seconds = options.quitAfter {
            Task { [self] in
                try await Task.sleep(for: .seconds(seconds))
                g_main_loop_quit(loop)
            }
        }
        gtk_window_present(window)
        if options.storms { storm.isOn = true }
        g_main_loop_run(loop)
        if options.logs { log(label.view.statistics.words) }
    }

    private func makeContents() -> UnsafeMutablePointer<GtkWidget> {
        let scrolled = gtk_scrolled_window_new()!
        gtk_scrolled_window_set_policy(
            cgtk_scrolled_window(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(cgtk_scrolled_window(scrolled), label.view.widget)
        gtk_widget_set_vexpand(scrolled, 1)

        let button = gtk_toggle_button_new_with_label("Storm")!
        Signals.connect(button, "toggled") { [unowned self] in
            storm.isOn = gtk_toggle_button_get_active(cgtk_toggle_button(button)) != 0
        }
        let bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)!
        gtk_box_append(cgtk_box(bar), button)
        gtk_box_append(cgtk_box(bar), cgtk_widget(UnsafeMutableRawPointer(status)))

        let contents = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12)!
        for child in [scrolled, bar] { gtk_box_append(cgtk_box(contents), child) }
        for set in [gtk_widget_set_margin_start, gtk_widget_set_margin_end, gtk_widget_set_margin_top] {
            set(contents, 16)
        }
        gtk_widget_set_margin_bottom(contents, 12)
        return contents
    }

    private func say(_ line: String) {
        gtk_label_set_text(status, line)
        if options.logs { log(line) }
    }

    /// Called while a frame is being drawn.
    private func showedPicture() {
        if options.logs, let picture = label.label.layer.contents {
            log("picture of \(picture.pixelWidth) × \(picture.pixelHeight) pixels")
        }
        guard label.view.statistics.pictures == 1 else { return }
        // When the frame is done: a main-actor task runs in a later turn of GLib's loop.
        Task { [self] in
            if options.logs { logMarks() }
            guard let path = options.screenshot else { return }
            do {
                try Screenshot.save(cgtk_widget(UnsafeMutableRawPointer(window)), to: path)
            } catch {
                self.error = "\(error)"
            }
            g_main_loop_quit(loop)
        }
    }

    /// Where in the window each link is.
    private func logMarks() {
        for mark in label.marks {
            guard let rect = mark.rects.first else { continue }
            var (windowX, windowY) = (0.0, 0.0)
            gtk_widget_translate_coordinates(
                label.view.widget, cgtk_widget(UnsafeMutableRawPointer(window)), rect.midX, rect.midY,
                &windowX, &windowY)
            log("\(mark.mark.words) at \(Int(windowX)) \(Int(windowY))")
        }
        log("shown")
    }
}

/// Prints a line at once, also into a pipe.
private func log(_ line: String) {
    print(line)
    fflush(nil)
}

extension TextMark {
    /// What it stands for, in words.
    var words: String {
        switch self {
        case .link(let address): "link \(address)"
        case .mention(let name): "mention \(name)"
        }
    }
}

extension LayerWidget.Statistics {
    /// The figures, in words.
    var words: String { "\(frames) frames, \(pictures) pictures, \(blankFrames) blank frames" }
}
