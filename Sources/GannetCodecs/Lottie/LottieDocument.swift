#if Lottie
    import GannetCore

    /// The text of one animation, read without a tree and without trusting it: what rlottie will see of it, and how much work that is.
    struct LottieDocument {
        /// Layers, with those of compositions counted wherever they are shown.
        static let maximumLayers = 10_000
        /// Compositions within each other.
        static let maximumCompositions = 64

        /// As stated; not always whole numbers.
        private(set) var width = 0.0
        private(set) var height = 0.0
        private(set) var frameRate = 0.0
        private var first = 0.0
        private var end = 0.0

        let text: [UInt8]
        private(set) var layers: Range<Int>?
        /// As ``LottieWork/silent``, of the outermost layers.
        private(set) var silent: [Int] = []
        /// Their number, with those of all compositions.
        var silentCount: Int {
            assets.reduce(silent.count) { if case .composition(_, let work) = $1.content { $0 + work.silent.count } else { $0 } }
        }
        private(set) var assets: [LottieAsset] = []
        /// All layers as they will be shown.
        private(set) var work = LottieWork()

        /// Throws `corrupt`, `truncated`, `limitExceeded` and `cancelled`.
        init(_ text: [UInt8], _ watch: DecodeWatch) throws(ImageError) {
            self.text = text
            do throws(JSONReader.Fault) {
                var reader = JSONReader(text)
                try reader.members { reader, name throws(JSONReader.Fault) in try take(name, &reader) }
                try reader.finish()
            } catch { throw LottieError.error(error) }
            try watch.check()
            try check()
            guard let layers else { throw LottieError.corrupt("it has no layers") }
            do throws(JSONReader.Fault) {
                var reader = JSONReader(text, in: layers)
                work = try LottieWork(&reader)
            } catch { throw LottieError.error(error) }
            silent = work.silent
            work = try expanded(watch)
        }

        private mutating func take(_ name: String, _ reader: inout JSONReader) throws(JSONReader.Fault) {
            switch name {
            case "w": width = try reader.number() ?? 0
            case "h": height = try reader.number() ?? 0
            case "fr": frameRate = try reader.number() ?? 0
            case "ip": first = try reader.number() ?? 0
            case "op": end = try reader.number() ?? 0
            case "layers" where try reader.next() == .array: layers = try reader.place()
            case "assets" where try reader.next() == .array:
                var found: [LottieAsset] = []
                try reader.elements { reader throws(JSONReader.Fault) in
                    guard try reader.next() == .object else { return try reader.skip() }
                    if let asset = try LottieAsset(&reader) { found.append(asset) }
                }
                assets = found
            default: try reader.skip()
            }
        }

        private func check() throws(ImageError) {
            guard width >= 0.001, height >= 0.001 else { throw LottieError.corrupt("it says that it has no size") }
            guard max(width, height) <= Double(PixelSize.maximumSide) else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The Lottie animation says that it is \(width)×\(height) pixels large; the limit is \(PixelSize.maximumSide)."
                )
            }
            // Frames too short or too long to be seen, and numbers that no integer holds.
            guard frameRate >= 0.01, frameRate <= 1000 else { throw LottieError.corrupt("it says \(frameRate) frames a second") }
            guard end >= first else { throw LottieError.corrupt("it says that it ends before it begins") }
            guard abs(first) <= 1e8, abs(end) <= 1e8 else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The Lottie animation says that it goes from frame \(first) to \(end); numbers up to 100,000,000 are read. Export it again."
                )
            }
        }

        // MARK: Frames

        /// The number of the first frame in the document's own count.
        var firstFrame: Int { Int(first) }
        /// All of them, before some are left out.
        var allFrames: Int { max(1, Int(end) - Int(first)) }
        /// One of so many frames is shown. Players show 100 ms in place of a delay of 10 ms or less, in which no animation is meant to be.
        var step: Int {
            var step = 1
            while Double(step) / frameRate <= 0.0105 { step += 1 }
            return step
        }
        var frameCount: Int { (allFrames + step - 1) / step }

        var delays: [Duration] {
            let whole = Duration.nanoseconds(Int64((Double(step) / frameRate * 1e9).rounded()))
            guard frameCount > 1 else { return [] }
            return [Duration](repeating: whole, count: frameCount)
        }

        // MARK: Compositions

        /// The layers of the document with those of each composition in the place where it is shown.
        private func expanded(_ watch: DecodeWatch) throws(ImageError) -> LottieWork {
            var compositions: [String: LottieWork] = [:]
            for asset in assets { if case .composition(_, let work) = asset.content { compositions[asset.name] = work } }
            var known: [String: LottieWork] = [:]
            return try Self.expanded(work, compositions, &known, within: [], watch)
        }

        private static func expanded(
            _ work: LottieWork, _ compositions: [String: LottieWork], _ known: inout [String: LottieWork],
            within names: Set<String>, _ watch: DecodeWatch
        ) throws(ImageError) -> LottieWork {
            guard names.count <= maximumCompositions else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The Lottie animation has more than \(maximumCompositions) compositions within each other. Export it with fewer."
                )
            }
            var sum = work
            for (name, count) in work.references.sorted(by: { $0.key < $1.key }) {
                guard let composition = compositions[name] else { continue }
                if names.contains(name) { throw LottieError.corrupt("a composition shows itself") }
                let inside: LottieWork
                if let before = known[name] {
                    inside = before
                } else {
                    try watch.check()
                    inside = try expanded(composition, compositions, &known, within: names.union([name]), watch)
                    known[name] = inside
                }
                sum.add(inside, times: count)
            }
            guard sum.layers <= maximumLayers else {
                throw ImageError(
                    .limitExceeded, stage: .decode,
                    "The Lottie animation shows more than \(maximumLayers) layers. Export it with fewer compositions.")
            }
            return sum
        }
    }
#endif
