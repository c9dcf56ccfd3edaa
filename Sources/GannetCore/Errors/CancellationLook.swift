/// A seam in the looks for cancellation that blocking work takes between bands of rows: tests count them and cancel at the
/// n-th one, which a cancel from another thread cannot do without a race.
package struct CancellationLook: Sendable {
    /// Asked at each look beside the task, on the thread that looks. Nil outside of tests: the task alone decides.
    ///
    /// A structure and not the function alone: Swift 6.3.1 with `-O` passes no metadata for a type of functions to `withValue`, and the
    /// process ends.
    @TaskLocal package static var current: CancellationLook?

    private let isCancelledToo: @Sendable () -> Bool

    package init(_ isCancelledToo: @escaping @Sendable () -> Bool) { self.isCancelledToo = isCancelledToo }

    package func isCancelled() -> Bool { isCancelledToo() }
}
