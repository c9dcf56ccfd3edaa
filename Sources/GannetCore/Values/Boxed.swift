public import Synchronization

/// A value on the heap, shared by its copies until one changes. For large parts of values in many asynchronous frames, which
/// would each hold a copy. Reading borrows: reading one field costs one field. Changing the only copy allocates nothing.
///
/// Public properties keep their box beside them, because a property wrapper would have to be public too. Their accessors are
/// inlinable: a read that borrows through another module would allocate.
@propertyWrapper
@usableFromInline
package struct Boxed<Value: Sendable>: Sendable {
    /// Only the box that alone refers to it changes its value.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        @exclusivity(unchecked) @usableFromInline var value: Value
        /// Made on first use; see ``text(by:)``.
        @usableFromInline let text = AtomicLazyReference<BoxedText>()

        @inlinable
        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage

    /// One allocation.
    @inlinable
    package init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    @inlinable
    init(_ storage: Storage) { self.storage = storage }

    /// Reading copies nothing. Changing allocates if there are other copies, so that they keep their value.
    @inlinable
    package var wrappedValue: Value {
        _read { yield storage.value }
        set { if mayChange() { storage.value = newValue } else { storage = Storage(newValue) } }
        _modify {
            if !mayChange() { storage = Storage(storage.value) }
            yield &storage.value
        }
    }

    @inlinable
    mutating func mayChange() -> Bool { isKnownUniquelyReferenced(&storage) && storage.text.load() == nil }

    /// A text that `make` always makes of the same value, made once for all copies of the box. One use for each type of value.
    package func text(by make: (Value) -> String) -> String {
        if let known = storage.text.load() { return known.text }
        return storage.text.storeIfNil(BoxedText(make(storage.value))).text
    }

    /// True if both are unchanged copies of one value, and therefore equal without a comparison.
    package func isSame(as other: Boxed) -> Bool { storage === other.storage }
}

extension Boxed: Equatable where Value: Equatable {
    @usableFromInline
    package static func == (left: Boxed, right: Boxed) -> Bool {
        left.isSame(as: right) || left.storage.value == right.storage.value
    }
}

extension Boxed: Hashable where Value: Hashable {
    @usableFromInline
    package func hash(into hasher: inout Hasher) { storage.value.hash(into: &hasher) }
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
    @usableFromInline var storage: Boxed<Value>.Storage?

    /// One allocation, or none for nil.
    @inlinable
    package init(wrappedValue: Value?) { storage = wrappedValue.map { Boxed.Storage($0) } }

    /// Shares the value.
    @inlinable
    package init(_ box: Boxed<Value>?) { storage = box?.storage }

    /// Shares the value.
    @inlinable
    package var box: Boxed<Value>? { storage.map { Boxed($0) } }

    /// Changing allocates if there are other copies, so that they keep their value; nil allocates nothing.
    @inlinable
    package var wrappedValue: Value? {
        get { storage?.value }
        set {
            guard let newValue else {
                storage = nil
                return
            }
            if isKnownUniquelyReferenced(&storage), let storage, storage.text.load() == nil {
                storage.value = newValue
            } else {
                storage = Boxed.Storage(newValue)
            }
        }
    }
}

extension BoxedOptional: Equatable where Value: Equatable {
    @usableFromInline
    package static func == (left: BoxedOptional, right: BoxedOptional) -> Bool { left.box == right.box }
}

extension BoxedOptional: Hashable where Value: Hashable {
    @usableFromInline
    package func hash(into hasher: inout Hasher) { hasher.combine(box) }
}
