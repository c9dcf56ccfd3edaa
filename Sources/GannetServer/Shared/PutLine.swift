#if Server
    /// Answers that wait to be written to S3, the oldest first, and how many are being written.
    struct PutLine {
        struct Put {
            var key: AnswerKey
            var answer: StoredAnswer
        }

        enum Outcome: Equatable {
            case waits
            /// It waits, and a writer has to be started for it.
            case needsWriter
            /// There is no room.
            case dropped
        }

        private var waiting: [Put] = []
        private var bytes = 0
        private var writers = 0
        private var watchers: [CheckedContinuation<Void, Never>] = []

        mutating func add(_ answer: StoredAnswer, for key: AnswerKey, limits: S3Answers.Limits) -> Outcome {
            if let same = waiting.firstIndex(where: { $0.key == key }) {
                bytes += answer.bytes.count - waiting[same].answer.bytes.count
                waiting[same].answer = answer
                return .waits
            }
            guard waiting.count < limits.waiting, bytes + answer.bytes.count <= limits.waitingBytes else { return .dropped }
            waiting.append(Put(key: key, answer: answer))
            bytes += answer.bytes.count
            guard writers < limits.writers else { return .waits }
            writers += 1
            return .needsWriter
        }

        /// For a writer. Nil: nothing is left, and it is one no more; it calls ``leave()`` then.
        mutating func next() -> Put? {
            guard !waiting.isEmpty else {
                writers -= 1
                return nil
            }
            let first = waiting.removeFirst()
            bytes -= first.answer.bytes.count
            return first
        }

        /// Those who wait for the end of all writers, if this is it.
        mutating func leave() -> [CheckedContinuation<Void, Never>] {
            guard writers == 0 else { return [] }
            defer { watchers = [] }
            return watchers
        }

        /// Forgets what waits: how many it was.
        mutating func forget() -> Int {
            defer { (waiting, bytes) = ([], 0) }
            return waiting.count
        }

        /// False: there is no writer, and nobody will resume it.
        mutating func watch(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
            guard writers > 0 else { return false }
            watchers.append(continuation)
            return true
        }
    }
#endif
