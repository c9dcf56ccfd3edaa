#if GTK
    import CGTK
    import CGannetShims

    /// Any GtkWidget by its raw pointer, as other Swift bindings of GTK provide it. Holds no reference.
    public struct GTKWidget: @unchecked Sendable, Hashable {
        // Unchecked: only an address; all use of it is isolated to GTKActor.
        /// The GtkWidget's address. The widget must outlive this value.
        public let raw: UnsafeMutableRawPointer

        /// Takes no reference: the caller keeps the widget alive.
        public init(_ raw: UnsafeMutableRawPointer) { self.raw = raw }
        /// For types that C declares and does not define, such as `GtkPicture`. Takes no reference.
        public init(_ pointer: OpaquePointer) { raw = UnsafeMutableRawPointer(pointer) }
        /// For types that C defines, such as `GtkWidget`. Takes no reference.
        public init<T>(_ pointer: UnsafeMutablePointer<T>) { raw = UnsafeMutableRawPointer(pointer) }

        var widget: UnsafeMutablePointer<GtkWidget> { raw.assumingMemoryBound(to: GtkWidget.self) }
        var object: UnsafeMutablePointer<GObject> { raw.assumingMemoryBound(to: GObject.self) }

        enum Kind { case other, picture, image, button, toggleButton }

        var kind: Kind {
            switch gannet_gtk_kind_of(raw) {
            case gannet_gtk_kind_picture: .picture
            case gannet_gtk_kind_image: .image
            case gannet_gtk_kind_button: .button
            case gannet_gtk_kind_toggle_button: .toggleButton
            default: .other
            }
        }
    }

    /// Hands Swift objects and closures to C.
    enum Handed {
        static func retain(_ object: AnyObject) -> UnsafeMutableRawPointer { Unmanaged.passRetained(object).toOpaque() }

        static func object<T: AnyObject>(_ pointer: UnsafeMutableRawPointer?, as type: T.Type) -> T? {
            pointer.flatMap { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() as? T }
        }

        /// The C function that releases a reference; any thread.
        static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { pointer in
            if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
        }
    }

    /// A closure for a signal. Lives as long as the connection.
    final class Handler<Argument> {
        let call: @GTKActor (Argument) -> Void
        init(_ call: @escaping @GTKActor (Argument) -> Void) { self.call = call }
    }

    @GTKActor extension GTKWidget {
        @discardableResult
        func connect(_ signal: String, _ call: @escaping @GTKActor () -> Void) -> UInt {
            gannet_gtk_connect(
                raw, signal,
                { _, data in
                    guard let handler = Handed.object(data, as: Handler<Void>.self) else { return }
                    GTKActor.assumeIsolated { handler.call(()) }
                }, Handed.retain(Handler<Void>(call)), Handed.release)
        }

        @discardableResult
        func connectPointer(_ signal: String, _ call: @escaping @GTKActor (UnsafeMutableRawPointer) -> Void) -> UInt {
            gannet_gtk_connect_pointer(
                raw, signal,
                { _, argument, data in
                    guard let argument, let handler = Handed.object(data, as: Handler<UnsafeMutableRawPointer>.self) else {
                        return
                    }
                    GTKActor.assumeIsolated { handler.call(argument) }
                }, Handed.retain(Handler(call)), Handed.release)
        }

        @discardableResult
        func connectInt(_ signal: String, _ call: @escaping @GTKActor (UInt32) -> Void) -> UInt {
            gannet_gtk_connect_int(
                raw, signal,
                { _, argument, data in
                    guard let handler = Handed.object(data, as: Handler<UInt32>.self) else { return }
                    GTKActor.assumeIsolated { handler.call(argument) }
                }, Handed.retain(Handler(call)), Handed.release)
        }
    }
#endif
