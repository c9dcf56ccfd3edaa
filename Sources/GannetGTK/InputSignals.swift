#if GTK
    import CGTK
    import CGannetShims

    /// A closure for a signal; returns whether it handled the signal.
    final class Question<Argument> {
        let answer: @GTKActor (Argument) -> Bool
        init(_ answer: @escaping @GTKActor (Argument) -> Bool) { self.answer = answer }
    }

    /// Two numbers that a signal carries.
    struct Pair: Sendable {
        var x: Double
        var y: Double
    }

    /// A key that was pressed.
    struct KeyPress: Sendable {
        /// A GDK_KEY.
        var key: UInt32
        /// GdkModifierType.
        var modifiers: UInt32
    }

    @GTKActor extension GTKWidget {
        func connectDouble(_ signal: String, _ call: @escaping @GTKActor (Double) -> Void) {
            _ = gannet_gtk_connect_double(
                raw, signal,
                { _, value, data in
                    guard let handler = Handed.object(data, as: Handler<Double>.self) else { return }
                    GTKActor.assumeIsolated { handler.call(value) }
                }, Handed.retain(Handler(call)), Handed.release)
        }

        func connectPair(_ signal: String, _ call: @escaping @GTKActor (Pair) -> Void) {
            _ = gannet_gtk_connect_doubles(
                raw, signal,
                { _, x, y, data in
                    guard let handler = Handed.object(data, as: Handler<Pair>.self) else { return }
                    GTKActor.assumeIsolated { handler.call(Pair(x: x, y: y)) }
                }, Handed.retain(Handler(call)), Handed.release)
        }

        /// Connects the signal of a GtkEventControllerScroll.
        func connectScroll(_ answer: @escaping @GTKActor (Pair) -> Bool) {
            _ = gannet_gtk_connect_scroll(
                raw,
                { _, x, y, data in
                    guard let question = Handed.object(data, as: Question<Pair>.self) else { return 0 }
                    return GTKActor.assumeIsolated { question.answer(Pair(x: x, y: y)) } ? 1 : 0
                }, Handed.retain(Question(answer)), Handed.release)
        }

        /// Connects the signal of a GtkEventControllerKey.
        func connectKey(_ answer: @escaping @GTKActor (KeyPress) -> Bool) {
            _ = gannet_gtk_connect_key(
                raw,
                { _, key, _, modifiers, data in
                    guard let question = Handed.object(data, as: Question<KeyPress>.self) else { return 0 }
                    return GTKActor.assumeIsolated { question.answer(KeyPress(key: key, modifiers: modifiers)) } ? 1 : 0
                }, Handed.retain(Question(answer)), Handed.release)
        }
    }
#endif
