/// A seam in the looks for cancellation that blocking work takes between bands of rows: tests count them and cancel at the
/// n-th one, which a cancel from another thread cannot do without a race.
package enum CancellationLook {
    /// Asked at each look beside the task, on the thread that looks. Nil outside of tests: the task alone decides.
    @TaskLocal package static var isCancelledToo: (@Sendable () -> Bool)?
}
