#if CommandLine
    import GannetCore
    import GannetSupport

    /// An estimate of the remaining time of a list, from its beginning.
    enum RemainingTime {
        /// Shorter lists end before the text is read.
        private static let shortestList = 10
        /// The first ones tell too little about the rest.
        private static let fewest = 3

        /// `about 40 s left`; nil: it is too early to say, or not worth it.
        static func text(elapsed: Duration, ended: Int, total: Int) -> String? {
            guard total >= shortestList, ended >= fewest, ended < total else { return nil }
            let rest = elapsed / ended * (total - ended)
            return "about \(Readable.age(max(rest, .seconds(1)))) left"
        }
    }
#endif
