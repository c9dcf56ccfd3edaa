import GannetTesting
import Synchronization
import Testing

@testable import GannetSharedCaches

struct CircuitBreakerTests {
    private let start = Duration.seconds(1000)

    /// Macros keep what they check in a constant.
    private func begin(_ breaker: inout CircuitBreakerState, at now: Duration) throws -> CircuitBreakerState.Attempt {
        let attempt = breaker.begin(at: now)
        return try #require(attempt)
    }

    private func fail(_ breaker: inout CircuitBreakerState, at now: Duration) throws {
        breaker.failed(try begin(&breaker, at: now), at: now)
    }

    private func succeed(_ breaker: inout CircuitBreakerState, at now: Duration) throws {
        breaker.succeeded(try begin(&breaker, at: now))
    }

    /// Asks a copy.
    private func mayAsk(_ breaker: CircuitBreakerState, at now: Duration) -> Bool {
        var breaker = breaker
        return breaker.begin(at: now) != nil
    }

    private func opened(_ breaker: inout CircuitBreakerState, at now: Duration) throws {
        for _ in 0..<breaker.threshold { try fail(&breaker, at: now) }
    }

    @Test func failuresInARowOpenIt() throws {
        var breaker = CircuitBreakerState(threshold: 3)
        for _ in 0..<10 {
            for _ in 0..<2 { try fail(&breaker, at: start) }
            try succeed(&breaker, at: start)
        }
        #expect(!breaker.isOpen)
        try opened(&breaker, at: start)
        #expect(breaker.isOpen)
        #expect(!mayAsk(breaker, at: start + .milliseconds(999)))
    }

    @Test func thePauseGrowsAndOneTries() throws {
        var breaker = CircuitBreakerState()
        try opened(&breaker, at: start)
        var now = start
        for pause in [1, 2, 4, 8, 16, 30, 30] {
            #expect(!mayAsk(breaker, at: now + .seconds(pause) - .nanoseconds(1)))
            now += .seconds(pause)
            let attempt = try begin(&breaker, at: now)
            // Nobody else.
            #expect(!mayAsk(breaker, at: now) && breaker.isOpen)
            breaker.failed(attempt, at: now)
        }
        let attempt = try begin(&breaker, at: now + .seconds(30))
        breaker.succeeded(attempt)
        #expect(!breaker.isOpen)
        // And begins anew with the shortest pause.
        try opened(&breaker, at: now)
        #expect(mayAsk(breaker, at: now + .seconds(1)))
    }

    @Test func whatBeganBeforeDecidesNothing() throws {
        var breaker = CircuitBreakerState()
        let (early, late) = (try begin(&breaker, at: start), try begin(&breaker, at: start))
        try opened(&breaker, at: start)
        breaker.succeeded(early)
        #expect(breaker.isOpen && !mayAsk(breaker, at: start))
        let attempt = try begin(&breaker, at: start + .seconds(1))
        breaker.failed(late, at: start + .seconds(1))
        breaker.succeeded(attempt)
        #expect(!breaker.isOpen)
        breaker.failed(attempt, at: start + .seconds(1))
        for _ in 0..<2 { try fail(&breaker, at: start) }
        #expect(!breaker.isOpen)
    }

    @Test func whoGivesUpLetsTheNextOneTry() throws {
        var breaker = CircuitBreakerState()
        breaker.gaveUp(try begin(&breaker, at: start), at: start)
        #expect(!breaker.isOpen)
        try opened(&breaker, at: start)
        let now = start + .seconds(1)
        let attempt = try begin(&breaker, at: now)
        breaker.gaveUp(attempt, at: now)
        #expect(breaker.isOpen)
        let next = try begin(&breaker, at: now)
        breaker.gaveUp(attempt, at: now)
        #expect(!mayAsk(breaker, at: now))
        breaker.failed(next, at: now)
        #expect(!mayAsk(breaker, at: now + .seconds(1)) && mayAsk(breaker, at: now + .seconds(2)))
    }

    /// A store that answers, but later than an answer takes to be made.
    @Test func answersThatComeTooLateOpenIt() throws {
        let time = ManualTimeSource()
        let lines = Mutex<[String]>([])
        let tally = RemoteTally()
        let breaker = CircuitBreakerState(slow: .milliseconds(25))
        let circuit = CircuitBreaker(tally, server: "Redis", breaker: breaker, time: time) { line in
            lines.withLock { $0.append(line) }
        }
        func ask(taking duration: Duration) throws {
            let begun = circuit.begin()
            let attempt = try #require(begun)
            time.advance(by: duration)
            circuit.succeeded(attempt)
        }
        for milliseconds in [45, 45, 25, 45, 45] { try ask(taking: .milliseconds(milliseconds)) }
        #expect(!circuit.isOpen)
        try ask(taking: .milliseconds(26))
        let isLeftAlone = circuit.begin() == nil
        #expect(circuit.isOpen && isLeftAlone && tally.counts(isOpen: true).failures == 5)
        #expect(lines.withLock { $0.count == 1 && $0[0].contains("take more than 25 ms") })
        time.advance(by: .seconds(1))
        try ask(taking: .milliseconds(1))
        #expect(!circuit.isOpen && lines.withLock { $0.last == "Redis answers again." })
    }

    /// The task of an attempt may end without a word.
    @Test func anAttemptIsForgottenAfterTheLongestPause() throws {
        var breaker = CircuitBreakerState()
        try opened(&breaker, at: start)
        let now = start + .seconds(1)
        let lost = try begin(&breaker, at: now)
        #expect(!mayAsk(breaker, at: now + .seconds(29)))
        let next = try begin(&breaker, at: now + .seconds(30))
        breaker.failed(lost, at: now + .seconds(30))
        breaker.succeeded(next)
        #expect(!breaker.isOpen)
    }

    /// All courses of ten steps, each with what came of one attempt, against what the type promises: it is open exactly when
    /// the last attempts failed in a row, and lets no attempt through before its time.
    @Test func everyCourse() {
        for course in 0..<1024 {
            var breaker = CircuitBreakerState(threshold: 2)
            var (now, row, pause) = (start, 0, Duration.zero)
            for step in 0..<10 {
                if row >= 2 {
                    #expect(!mayAsk(breaker, at: now + pause - .nanoseconds(1)))
                    now += pause
                }
                guard let attempt = breaker.begin(at: now) else {
                    Issue.record("nobody may ask in step \(step) of \(course)")
                    break
                }
                if course >> step & 1 == 0 {
                    breaker.succeeded(attempt)
                    row = 0
                } else {
                    breaker.failed(attempt, at: now)
                    row += 1
                    if row == 2 { pause = .seconds(1) } else if row > 2 { pause = min(pause * 2, .seconds(30)) }
                }
                #expect(breaker.isOpen == (row >= 2))
            }
        }
    }
}
