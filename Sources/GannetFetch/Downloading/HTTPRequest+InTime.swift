import GannetCore
import GannetPlatform

extension HTTPRequest {
    /// The request with the time that is left since an earlier one of the same load was sent.
    func inTime(
        since began: Duration, _ time: any TimeSource, _ cause: @autoclosure () -> String
    ) throws(ImageError) -> HTTPRequest {
        var message = self
        message.deadlines.total -= time.uptime - began
        guard message.deadlines.total > .zero else {
            throw ImageError(.timedOut, stage: .load, cause() + " all the time that the load has (deadlines.total).")
        }
        return message
    }
}
