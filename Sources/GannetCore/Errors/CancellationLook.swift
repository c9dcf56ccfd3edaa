/// A seam in the cancellation checks of blocking work between bands of rows. Tests count the checks and cancel at the n-th one,
/// which a cancel from another thread cannot do without a race.
package struct CancellationLook: Sendable {
    /// Called at each check in addition to the task, on the checking thread. Nil outside of tests: only the task decides.
    ///
    /// A structure, not a bare function: Swift 6.3.1 with `-O` passes no metadata for function types to `withValue`, and the
    /// process crashes.
    @TaskLocal package static var current: CancellationLook?

    private let isCancelledToo: @Sendable () -> Bool

    package init(_ isCancelledToo: @escaping @Sendable () -> Bool) { self.isCancelledToo = isCancelledToo }

    package func isCancelled() -> Bool { isCancelledToo() }
}
