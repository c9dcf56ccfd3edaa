#if Lottie
    /// How much there is to draw in an array of layers.
    struct LottieWork {
        private(set) var layers = 0
        /// Of their text, which is a measure for shapes.
        private(set) var bytes = 0
        /// Layers that cut another one out, each of which has two images of the drawn size.
        private(set) var mattes = 0
        /// How often each composition is shown.
        private(set) var references: [String: Int] = [:]
        /// Where in the text the members of layers begin that do not say that they are flat before they say how they move.
        private(set) var silent: [Int] = []

        init() {}

        init(_ reader: inout JSONReader) throws(JSONReader.Fault) {
            var found = LottieWork()
            let start = reader.position
            try reader.elements { reader throws(JSONReader.Fault) in
                guard try reader.next() == .object else { return try reader.skip() }
                try found.take(&reader)
            }
            self = found
            bytes = reader.position - start
        }

        private mutating func take(_ reader: inout JSONReader) throws(JSONReader.Fault) {
            var kind = -1.0
            var reference: String?
            var matte = 0.0
            var depth: Double?
            var moves = false
            // Behind the brace.
            let start = reader.position + 1
            var count = 0
            try reader.members { reader, name throws(JSONReader.Fault) in
                count += 1
                switch name {
                case "ddd":
                    let said = try reader.number() ?? 0
                    if !moves || said != 0 { depth = said }
                case "ks":
                    moves = true
                    try reader.skip()
                case "ty": kind = try reader.number() ?? -1
                case "refId": reference = try reader.string().map(LottieAsset.known)
                case "tt": matte = try reader.number() ?? 0
                default: try reader.skip()
                }
            }
            layers += 1
            if depth == nil, count > 0 { silent.append(start) }
            if matte != 0 { mattes += 1 }
            if kind == 0, let reference { references[reference, default: 0] += 1 }
        }

        /// Numbers stop growing before they overflow; the limits are far below.
        mutating func add(_ other: LottieWork, times: Int) {
            func sum(_ left: Int, _ right: Int) -> Int {
                let (product, overflow) = right.multipliedReportingOverflow(by: times)
                return overflow ? 1 << 50 : min(left + min(product, 1 << 50), 1 << 50)
            }
            layers = sum(layers, other.layers)
            bytes = sum(bytes, other.bytes)
            mattes = sum(mattes, other.mattes)
        }
    }
#endif
