#if Lottie
    import GannetCore

    /// Tells Lottie from other JSON, dotLottie from other archives, and stickers from whatever else gzip has packed, by their first bytes.
    enum LottieSignature {
        /// Later bytes are not read.
        private static let mostBytes = 4096

        static func recognize(_ head: Span<UInt8>) -> Recognition {
            let bytes = (0..<min(head.count, mostBytes)).map { head[$0] }
            let unknown: Recognition = bytes.count < mostBytes ? .needsMoreBytes(min(mostBytes, max(64, bytes.count * 2))) : .no
            guard let answer = answer(bytes) else { return unknown }
            return answer ? .yes(.lottie) : .no
        }

        /// Nil: the bytes end before they say it.
        private static func answer(_ bytes: [UInt8]) -> Bool? {
            if bytes.first == 0x1F { return ofGzip(bytes) }
            if bytes.first == UInt8(ascii: "P") { return ofZip(bytes) }
            return isAnimation(bytes)
        }

        private static func ofGzip(_ bytes: [UInt8]) -> Bool? {
            guard bytes.prefix(3).elementsEqual([0x1F, 0x8B, 8].prefix(bytes.count)) else { return false }
            guard let start = LottieGzip.start(bytes) else { return nil }
            return isAnimation(LottieInflate.beginning(bytes[start...], count: mostBytes))
        }

        /// The manifest usually is the first file of a dotLottie; other programs put it last.
        private static func ofZip(_ bytes: [UInt8]) -> Bool? {
            var start = 0
            while true {
                let mark = bytes[start...].prefix(4)
                guard mark.elementsEqual([0x50, 0x4B, 3, 4].prefix(mark.count)) else { return false }
                guard let file = LottieArchive.LocalFile(bytes, at: start) else { return nil }
                let inside =
                    file.method == 0
                    ? Array(bytes[file.start...]) : LottieInflate.beginning(bytes[file.start...], count: mostBytes)
                if file.name == LottieArchive.manifestName { return isManifest(inside) }
                if LottieArchive.isAnimation(file.name) { return isAnimation(inside) }
                // A length that is written behind the file, or one of more than 32 bits.
                guard !file.hasLaterLength, file.packedBytes < 0xFFFF_FFFF else { return false }
                guard file.packedBytes < bytes.count - file.start else { return nil }
                start = file.start + file.packedBytes
            }
        }

        private static func isManifest(_ text: [UInt8]) -> Bool? {
            var reader = JSONReader(text)
            var isOne = false
            do throws(JSONReader.Fault) {
                try reader.members { reader, name throws(JSONReader.Fault) in
                    if name == "animations", try reader.next() == .array { isOne = true }
                    try reader.skip()
                }
                return isOne
            } catch {
                if isOne { return true }
                if case .ended = error { return nil }
                return false
            }
        }

        private static func isAnimation(_ text: [UInt8]) -> Bool? {
            var reader = JSONReader(text)
            var evidence = Evidence()
            do throws(JSONReader.Fault) {
                try evidence.collect(&reader)
                return evidence.isEnough
            } catch {
                if evidence.isEnough { return true }
                if case .ended = error { return nil }
                return false
            }
        }
    }

    /// The members of an object that have been seen. They are in any order, and many programs write the layers first.
    private struct Evidence {
        private var names: Set<String> = []
        private var hasLayer = false

        /// Time and either size or layers, or something that is a layer beyond doubt.
        var isEnough: Bool {
            hasLayer
                || names.isSuperset(of: ["fr", "ip", "op"]) && (names.contains("layers") || names.isSuperset(of: ["w", "h"]))
        }

        mutating func collect(_ reader: inout JSONReader) throws(JSONReader.Fault) {
            var found = self
            do throws(JSONReader.Fault) {
                try reader.members { reader, name throws(JSONReader.Fault) in
                    try found.take(name, &reader)
                }
                self = found
            } catch {
                self = found
                throw error
            }
        }

        private mutating func take(_ name: String, _ reader: inout JSONReader) throws(JSONReader.Fault) {
            let kind = try reader.next()
            switch name {
            case "fr", "ip", "op", "w", "h":
                if kind == .number { names.insert(name) }
                try reader.skip()
            case "layers" where kind == .array:
                names.insert(name)
                try takeLayers(&reader)
            case "assets" where kind == .array:
                try takeAssets(&reader)
            default: try reader.skip()
            }
        }

        private mutating func takeAssets(_ reader: inout JSONReader) throws(JSONReader.Fault) {
            var found = self
            defer { self = found }
            try reader.elements { reader throws(JSONReader.Fault) in
                guard try reader.next() == .object else { return try reader.skip() }
                try reader.members { reader, name throws(JSONReader.Fault) in
                    guard name == "layers", try reader.next() == .array else { return try reader.skip() }
                    try found.takeLayers(&reader)
                }
            }
        }

        private mutating func takeLayers(_ reader: inout JSONReader) throws(JSONReader.Fault) {
            var found = self
            defer { self = found }
            try reader.elements { reader throws(JSONReader.Fault) in
                guard try reader.next() == .object else { return try reader.skip() }
                var members: Set<String> = []
                defer { if members.contains("ty"), !members.isDisjoint(with: ["ks", "ip", "shapes"]) { found.hasLayer = true } }
                try reader.members { reader, name throws(JSONReader.Fault) in
                    let kind = try reader.next()
                    switch name {
                    case "ty", "ip": if kind == .number { members.insert(name) }
                    case "ks": if kind == .object { members.insert(name) }
                    case "shapes": if kind == .array { members.insert(name) }
                    default: break
                    }
                    try reader.skip()
                }
            }
        }
    }
#endif
