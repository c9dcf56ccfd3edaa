#if CommandLine
    /// A terminal's reply to ``question``.
    struct TerminalAnswer: Equatable {
        var hasKitty = false
        var hasSixel = false
        /// Size of one character in pixels.
        var cell: Cell?
        /// The last reply has arrived; terminals reply in order.
        var isComplete = false

        struct Cell: Equatable {
            var width: Int
            var height: Int
        }

        /// Queries kitty graphics (with an image that is not shown), the size of a character, and the device attributes, which
        /// every terminal answers, and which so end the wait.
        static let question = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t\u{1B}[c"

        init() {}

        init(parsing bytes: [UInt8]) {
            let text = String(decoding: bytes, as: UTF8.self)
            hasKitty = text.contains("\u{1B}_Gi=31;OK")
            for part in text.split(separator: "\u{1B}[") {
                if part.hasPrefix("?"), let end = part.firstIndex(of: "c") {
                    isComplete = true
                    hasSixel = part[..<end].dropFirst().split(separator: ";").contains("4")
                } else if part.hasPrefix("6;"), let end = part.firstIndex(of: "t") {
                    let numbers = part[..<end].split(separator: ";").compactMap { Int($0) }
                    if numbers.count == 3, (1...1000).contains(numbers[1]), (1...1000).contains(numbers[2]) {
                        cell = Cell(width: numbers[2], height: numbers[1])
                    }
                }
            }
        }
    }
#endif
