import GannetCore

extension CoderConformance {
    /// The first bytes identify the file; with fewer, the coder asks for more, and never says no.
    public func recognition() -> [String] {
        var failures: [String] = []
        for count in 0...min(sample.count, 64) {
            switch coder.recognizes(Array(sample.prefix(count)).span) {
            case .yes(let found) where found == format: break
            case .needsMoreBytes(let needed) where needed > count: break
            case let answer: failures.append("\(name): \(count) first bytes are answered with \(answer)")
            }
        }
        if case .yes = coder.recognizes(sample.span) {} else { failures.append("\(name): the whole file is not recognised") }
        return failures
    }

    /// The image is the same however the bytes are cut, and an incomplete file is never an error.
    public func cuts() -> [String] {
        let expected: Result
        do { expected = try whole() } catch { return ["\(name): does not decode: \(error)"] }
        var failures: [String] = []
        let step = max(1, sample.count / 2048)
        var ways: [(String, [[UInt8]])] = [("pieces of \(step)", pieces { _ in step })]
        for seed in 1...3 {
            var random = SeededGenerator(seed: UInt64(seed))
            ways.append(("random cuts \(seed)", pieces { _ in 1 + Int(random.next() % UInt64(max(2, sample.count / 6))) }))
        }
        ways.append(("an empty first rope", [[], sample]))
        for (way, pieces) in ways {
            do {
                let result = try decode(pieces)
                if !same(result, expected) { failures.append("\(name): another image with \(way)") }
                if result.isPartial { failures.append("\(name): partial with \(way)") }
            } catch {
                failures.append("\(name): \(way) throws \(error)")
            }
        }
        return failures
    }

    private func pieces(_ length: (Int) -> Int) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var position = 0
        while position < sample.count {
            let end = min(sample.count, position + max(1, length(position)))
            pieces.append(Array(sample[position..<end]))
            position = end
        }
        return pieces
    }

    /// Truncated bytes fail, or give an image marked as partial if that is allowed.
    public func truncations() -> [String] {
        var failures: [String] = []
        let whole = try? whole()
        let step = max(1, sample.count / 400)
        for count in Array(stride(from: 0, to: sample.count, by: step)) + [max(sample.count - 1, 0)] {
            let bytes = Array(sample.prefix(count))
            do {
                let result = try decode([bytes])
                if !losesNothing(result, count, whole) {
                    failures.append("\(name): \(count) of \(sample.count) bytes decode as if they were all")
                }
            } catch {
                let codes: [ImageError.Code] = [.truncated, .corrupt, .empty, .notAnImage]
                if !codes.contains(error.code) { failures.append("\(name): \(count) of \(sample.count) bytes throw \(error)") }
            }
            do {
                let result = try decode([bytes], options: options { $0.allowsPartial = true })
                if !result.isPartial, !losesNothing(result, count, whole) {
                    failures.append("\(name): \(count) of \(sample.count) bytes give an image that is not marked partial")
                }
            } catch {
                if error.code == .misuse { failures.append("\(name): allowing partial images, \(count) bytes throw \(error)") }
            }
        }
        return failures
    }

    private func losesNothing(_ result: Result, _ count: Int, _ whole: Result?) -> Bool {
        guard let whole else { return false }
        if mayEndBetweenFrames, isBeginning(result, of: whole) { return true }
        return count >= sample.count - insignificantTail && same(whole, result)
    }

    /// The preview after half of the bytes is much closer to the image than a blank one.
    public func previews() -> [String] {
        guard let previewGain else { return [] }
        do {
            let reference = try whole().frames[0]
            let decoder = try coder.makeDecoder(for: format, options: options(), environment: DecodeEnvironment())
            var rope = ByteRope()
            rope.append(Array(sample.prefix(sample.count / 2)))
            _ = try decoder.read(from: rope)
            guard let layout = decoder.outputLayout else { return ["\(name): no header after half of the bytes"] }
            var buffer = try PixelBuffer(layout)
            buffer.fill(0xA5)
            guard try decoder.decodePreview(into: &buffer) else { return ["\(name): no preview after half of the bytes"] }
            let preview = buffer.freeze()
            var blankBuffer = try PixelBuffer(layout)
            blankBuffer.fill(0)
            blankBuffer.setAlpha(.premultiplied)
            let blank = blankBuffer.freeze()
            guard let near = ImageDifference(preview, reference), let far = ImageDifference(blank, reference) else {
                return ["\(name): the preview has another size"]
            }
            var failures: [String] = []
            if near.peakSignalToNoise < far.peakSignalToNoise + previewGain {
                failures.append(
                    "\(name): the preview after half of the bytes has \(near.peakSignalToNoise) dB, a blank image \(far.peakSignalToNoise)"
                )
            }
            var again = try PixelBuffer(layout)
            if try decoder.decodePreview(into: &again) { failures.append("\(name): a second preview of the same bytes") }
            // The preview must not change the image.
            rope.append(Array(sample.dropFirst(sample.count / 2)))
            rope.isComplete = true
            _ = try decoder.read(from: rope)
            let result = try frames(of: decoder, environment: DecodeEnvironment())
            if ImageDifference(result.frames[0], reference)?.largest != 0 {
                failures.append("\(name): another image after a preview")
            }
            return failures
        } catch {
            return ["\(name): the preview throws \(error)"]
        }
    }
}
