/// A value kept on the heap and shared by its copies until one of them changes it. For large parts of values that travel through
/// many asynchronous frames, each of which would hold a copy of its own. Reading borrows: one field of the value costs one field.
@propertyWrapper
public struct Boxed<Value: Sendable>: Sendable {
    @usableFromInline
    final class Storage: Sendable {
        @usableFromInline let value: Value

        @inlinable
        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage

    /// One allocation.
    @inlinable
    public init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    /// Reading copies nothing; setting allocates anew, so that copies made before keep what they had.
    @inlinable
    public var wrappedValue: Value {
        _read { yield storage.value }
        set { storage = Storage(newValue) }
    }

    /// Copies of one another, neither changed since: the values are then equal without comparing them.
    package func isSame(as other: Boxed) -> Bool { storage === other.storage }
}

/// The same for what is mostly not there, which costs nothing then.
@propertyWrapper
public struct BoxedOptional<Value: Sendable>: Sendable {
    @usableFromInline
    final class Storage: Sendable {
        @usableFromInline let value: Value

        @inlinable
        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage?

    /// One allocation, or none for nil.
    @inlinable
    public init(wrappedValue: Value?) { storage = wrappedValue.map { Storage($0) } }

    /// Setting allocates anew, so that copies made before keep what they had; nil allocates nothing.
    @inlinable
    public var wrappedValue: Value? {
        get { storage?.value }
        set { storage = newValue.map { Storage($0) } }
    }
}
