package import FoundationEssentials
import Synchronization

/// What was sent for one fetch with an unsafe method, in all its attempts: whoever makes void what is stored needs it also where
/// the load failed, or came to its end somewhere else.
package final class LoadJournal: Sendable {
    package struct Line: Sendable {
        package var method: String
        package var url: URL
        /// Nil: no answer came, and what was asked for may have been done all the same.
        package var answer: HTTPResponseHead?
    }

    private let kept = Mutex<[Line]?>(nil)

    package init() {}

    /// In the order in which they were sent; nil if the loader keeps no journal.
    package var lines: [Line]? { kept.withLock { $0 } }

    /// Said by a loader that writes down all that it sends.
    package func begin() { kept.withLock { if $0 == nil { $0 = [] } } }

    package func note(_ method: String, _ url: URL, _ answer: HTTPResponseHead?) {
        kept.withLock { $0?.append(Line(method: method, url: url, answer: answer)) }
    }
}
