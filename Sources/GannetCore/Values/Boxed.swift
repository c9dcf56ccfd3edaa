public import Synchronization

/// A value on the heap, shared by its copies until one changes. For large parts of values in many asynchronous frames, which
/// would each hold a copy. Reading borrows: reading one field costs one field.
///
/// Public properties keep their box beside them, because a property wrapper would have to be public too. Their accessors are
/// inlinable: a read that borrows through another module would allocate.
@propertyWrapper
@usableFromInline
package struct Boxed<Value: Sendable>: Sendable {
    @usableFromInline
    final class Storage: Sendable {
        @usableFromInline let value: Value
        /// Made on first use; see ``text(by:)``.
        @usableFromInline let text = AtomicLazyReference<BoxedText>()

        @inlinable
        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage

    /// One allocation.
    @inlinable
    package init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    /// Reading copies nothing; setting allocates, so that earlier copies keep their value.
    @inlinable
    package var wrappedValue: Value {
        _read { yield storage.value }
        set { storage = Storage(newValue) }
    }

    /// A text that `make` always makes of the same value, made once for all copies of the box. One use for each type of value.
    package func text(by make: (Value) -> String) -> String {
        if let known = storage.text.load() { return known.text }
        return storage.text.storeIfNil(BoxedText(make(storage.value))).text
    }

    /// True if both are unchanged copies of one value, and therefore equal without a comparison.
    package func isSame(as other: Boxed) -> Bool { storage === other.storage }
}

@usableFromInline
final class BoxedText: Sendable {
    let text: String

    init(_ text: String) { self.text = text }
}

/// The same for values that are mostly nil, which then cost nothing.
@propertyWrapper
@usableFromInline
package struct BoxedOptional<Value: Sendable>: Sendable {
    @usableFromInline
    final class Storage: Sendable {
        @usableFromInline let value: Value

        @inlinable
        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage?

    /// One allocation, or none for nil.
    @inlinable
    package init(wrappedValue: Value?) { storage = wrappedValue.map { Storage($0) } }

    /// Setting allocates, so that earlier copies keep their value; nil allocates nothing.
    @inlinable
    package var wrappedValue: Value? {
        get { storage?.value }
        set { storage = newValue.map { Storage($0) } }
    }
}
