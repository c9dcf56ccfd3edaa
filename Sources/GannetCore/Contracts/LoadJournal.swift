package import FoundationEssentials
import Synchronization

/// The requests sent for one fetch with an unsafe method, in all its attempts. Needed to invalidate stored responses even if
/// the load failed or was redirected.
package final class LoadJournal: Sendable {
    package struct Line: Sendable {
        package var method: String
        package var url: URL
        /// Nil: no response arrived, although the server may have acted.
        package var answer: HTTPResponseHead?
    }

    private let kept = Mutex<[Line]?>(nil)

    package init() {}

    /// The lines in the order of sending; nil if the loader keeps no journal.
    package var lines: [Line]? { kept.withLock { $0 } }

    /// Called by a loader that records all its requests.
    package func begin() { kept.withLock { if $0 == nil { $0 = [] } } }

    package func note(_ method: String, _ url: URL, _ answer: HTTPResponseHead?) {
        kept.withLock { $0?.append(Line(method: method, url: url, answer: answer)) }
    }
}
