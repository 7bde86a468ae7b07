import CGTK4
import CairoRendering
import Foundation
import GTKLayers

/// Changes the label's text and its size in every frame: faster than it can be drawn, which must not make it
/// flash.
@MainActor
final class Storm {
    private let label: LabelWidget
    private let say: (String) -> Void
    private var frame = 0
    private var callback: guint?
    private var before = LayerWidget.Statistics()

    init(_ label: LabelWidget, say: @escaping (String) -> Void) {
        self.label = label
        self.say = say
    }

    var isOn: Bool {
        get { callback != nil }
        set {
            guard newValue != isOn else { return }
            if newValue { begin() } else { end() }
        }
    }

    private func begin() {
        before = label.view.statistics
        say("storm …")
        callback = gtk_widget_add_tick_callback(
            label.view.widget,
            { _, _, context in
                let storm = Unmanaged<Storm>.fromOpaque(context!).takeUnretainedValue()
                MainActor.assumeIsolated { storm.tick() }
                return 1
            }, Unmanaged.passRetained(self).toOpaque(),
            { context in Unmanaged<Storm>.fromOpaque(context!).release() })
    }

    private func tick() {
        frame += 1
        let wave = sin(Double(frame) / 12)
        label.text = SampleText.make(size: 16 + 3 * wave)
        gtk_widget_set_margin_end(label.view.widget, Int32(60 + 60 * wave))
    }

    private func end() {
        if let callback { gtk_widget_remove_tick_callback(label.view.widget, callback) }
        callback = nil
        label.text = SampleText.make()
        gtk_widget_set_margin_end(label.view.widget, 0)
        say("storm: " + (label.view.statistics - before).words)
    }
}

extension LayerWidget.Statistics {
    /// What was shown between two moments.
    static func - (later: Self, earlier: Self) -> Self {
        var difference = later
        difference.frames -= earlier.frames
        difference.pictures -= earlier.pictures
        difference.blankFrames -= earlier.blankFrames
        return difference
    }
}
