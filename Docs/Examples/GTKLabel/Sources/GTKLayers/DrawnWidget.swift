public import AsyncLayers
public import CGTK4

/// What a widget of the type ``DrawnWidget`` asks.
@MainActor
public protocol WidgetOwner: AnyObject {
    /// What the widget wants to be high at least, in points.
    var minimumHeight: Double { get }
    /// Called when the widget has a size, in points.
    func allocate(_ size: Size)
    /// Draws a frame into a GtkSnapshot.
    func draw(into snapshot: OpaquePointer)
}

extension WidgetOwner {
    /// As low as its window lets it be.
    public var minimumHeight: Double { 0 }
    /// Does nothing.
    public func allocate(_ size: Size) {}
}

/// The type that GTK knows such a widget by: a subclass of GtkWidget whose functions ask its owner.
@MainActor
public enum DrawnWidget {
    private static let ownerKey = g_quark_from_static_string("swift-layer-widget")

    private static let type = g_type_register_static_simple(
        gtk_widget_get_type(), "SwiftDrawnWidget", guint(MemoryLayout<GtkWidgetClass>.size),
        { typeClass, _ in
            let functions = cgtk_widget_class(typeClass)!
            functions.pointee.measure = DrawnWidget.measure
            functions.pointee.size_allocate = DrawnWidget.sizeAllocate
            functions.pointee.snapshot = DrawnWidget.snapshot
        }, guint(MemoryLayout<GtkWidget>.size), { _, _ in }, GTypeFlags(rawValue: 0))

    /// Makes a widget, which the caller holds.
    public static func make() -> UnsafeMutablePointer<GtkWidget> {
        let widget = cgtk_make_widget(type)!
        g_object_ref_sink(widget)
        return widget
    }

    /// Says what the widget asks from now on. The owner is not retained; it sets nil before it goes.
    public static func setOwner(of widget: UnsafeMutablePointer<GtkWidget>, _ owner: (any WidgetOwner)?) {
        let address = owner.map { Unmanaged<AnyObject>.passUnretained($0).toOpaque() }
        g_object_set_qdata(cgtk_object(widget), ownerKey, address)
    }

    private static func owner(of widget: UnsafeMutablePointer<GtkWidget>) -> (any WidgetOwner)? {
        g_object_get_qdata(cgtk_object(widget), ownerKey).flatMap {
            Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() as? any WidgetOwner
        }
    }

    // MARK: GtkWidget's functions, called on the main thread

    private nonisolated static let measure:
        @convention(c) (
            UnsafeMutablePointer<GtkWidget>?, GtkOrientation, Int32, UnsafeMutablePointer<Int32>?,
            UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?, UnsafeMutablePointer<Int32>?
        ) -> Void = { widget, orientation, _, minimum, natural, _, _ in
            nonisolated(unsafe) let widget = widget
            let height = MainActor.assumeIsolated {
                widget.flatMap { owner(of: $0)?.minimumHeight } ?? 0
            }
            let extent = orientation == GTK_ORIENTATION_VERTICAL ? Int32(height.rounded(.up)) : 0
            minimum?.pointee = extent
            natural?.pointee = extent
        }

    private nonisolated static let sizeAllocate:
        @convention(c) (UnsafeMutablePointer<GtkWidget>?, Int32, Int32, Int32) -> Void = {
            widget, width, height, _ in
            nonisolated(unsafe) let widget = widget
            MainActor.assumeIsolated {
                widget.flatMap { owner(of: $0) }?.allocate(Size(width: Double(width), height: Double(height)))
            }
        }

    private nonisolated static let snapshot:
        @convention(c) (UnsafeMutablePointer<GtkWidget>?, OpaquePointer?) -> Void = { widget, snapshot in
            nonisolated(unsafe) let widget = widget
            nonisolated(unsafe) let snapshot = snapshot
            MainActor.assumeIsolated {
                guard let widget, let snapshot else { return }
                owner(of: widget)?.draw(into: snapshot)
            }
        }
}
