/// A value kept on the heap and shared by its copies until one of them changes it. For large parts of values that travel through
/// many asynchronous frames, each of which would hold a copy of its own.
@propertyWrapper
public struct Boxed<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage

    public init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    public var wrappedValue: Value {
        get { storage.value }
        set { storage = Storage(newValue) }
    }
}

/// The same for what is mostly not there, which costs nothing then.
@propertyWrapper
public struct BoxedOptional<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private var storage: Storage?

    public init(wrappedValue: Value?) { storage = wrappedValue.map { Storage($0) } }

    public var wrappedValue: Value? {
        get { storage?.value }
        set { storage = newValue.map { Storage($0) } }
    }
}
