#if Redis
    import Testing

    @testable import GannetSharedCaches

    struct RedisLimitsTests {
        /// A server far away answers late and is well, as long as its limit says so.
        @Test func tooSlowIsHalfOfTheLimit() throws {
            var limits = RedisLimits()
            #expect(limits.breaker.slow == .milliseconds(25))
            limits.command = .seconds(2)
            #expect(limits.breaker.slow == .seconds(1))
            var breaker = limits.breaker
            let begun = breaker.begin(at: .zero)
            let attempt = try #require(begun)
            #expect(!breaker.isTooLate(attempt, at: .milliseconds(999)) && breaker.isTooLate(attempt, at: .milliseconds(1001)))
        }
    }
#endif
