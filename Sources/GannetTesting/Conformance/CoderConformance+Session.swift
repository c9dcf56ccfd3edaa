public import GannetCore

extension CoderConformance {
    /// Repeated calls change nothing: header, layout, colours, frames.
    public func headers() -> [String] {
        do {
            let decoder = try coder.makeDecoder(for: format, options: options(), environment: DecodeEnvironment())
            if decoder.header != nil { return ["\(name): a header before any bytes"] }
            _ = try decoder.read(from: ByteRope(sample))
            let first = (decoder.header, decoder.outputLayout, decoder.outputColorSpace)
            let frames = try frames(of: decoder, environment: DecodeEnvironment())
            _ = try decoder.read(from: ByteRope(sample))
            let second = (decoder.header, decoder.outputLayout, decoder.outputColorSpace)
            let again = try self.frames(of: decoder, environment: DecodeEnvironment())
            var failures: [String] = []
            if first.0?.size != second.0?.size || first.0?.frameCount != second.0?.frameCount
                || first.0?.animation != second.0?.animation || first.1 != second.1 || first.2 != second.2
            {
                failures.append("\(name): the header changes when it is asked for twice")
            }
            if !same(frames, again) { failures.append("\(name): frames change when they are asked for twice") }
            if let header = first.0, header.format != format { failures.append("\(name): the header says \(header.format)") }
            return failures
        } catch {
            return ["\(name): asking twice throws \(error)"]
        }
    }

    /// After an error every call throws the same error.
    public func stickyErrors() -> [String] {
        do {
            let decoder = try coder.makeDecoder(for: format, options: options(), environment: DecodeEnvironment())
            let layout = try whole().frames[0].layout
            let short = ByteRope(Array(sample.prefix(sample.count / 2)))
            var buffer = try PixelBuffer(layout)
            var codes: [ImageError.Code?] = []
            codes.append(code { () throws(ImageError) in _ = try decoder.read(from: short) })
            if codes[0] == nil {
                // The header is complete: only the pixels are missing.
                do {
                    try decoder.decodeFrame(at: 0, into: &buffer)
                    codes[0] = nil
                } catch { codes[0] = error.code }
            }
            codes.append(code { () throws(ImageError) in _ = try decoder.read(from: ByteRope(sample)) })
            do {
                try decoder.decodeFrame(at: 0, into: &buffer)
                codes.append(nil)
            } catch { codes.append(error.code) }
            guard let first = codes[0] else { return ["\(name): half of the bytes are no error"] }
            return codes.allSatisfy { $0 == first } ? [] : ["\(name): after an error come \(codes.map { $0?.name ?? "none" })"]
        } catch {
            return ["\(name): \(error)"]
        }
    }

    private func code(_ body: () throws(ImageError) -> Void) -> ImageError.Code? {
        do {
            try body()
            return nil
        } catch { return error.code }
    }

    /// Each limit accepts "just enough" and refuses "one less".
    public func limits() -> [String] {
        var failures: [String] = []
        func expect(_ limit: String, _ environment: DecodeEnvironment, allowed: Bool) {
            do {
                _ = try decode([sample], environment: environment)
                if !allowed { failures.append("\(name): \(limit) does not hold") }
            } catch {
                if allowed || error.code != .limitExceeded { failures.append("\(name): \(limit) throws \(error)") }
            }
        }
        func environment(_ change: (inout DecodeLimits) -> Void) -> DecodeEnvironment {
            var limits = DecodeLimits.standard
            change(&limits)
            return DecodeEnvironment(limits: limits)
        }
        guard let whole = try? whole(), let frame = whole.frames.first else { return ["\(name): does not decode"] }
        let pixels = whole.header.size.area
        expect("maximumPixels \(pixels)", environment { $0.maximumPixels = pixels }, allowed: true)
        expect("maximumPixels \(pixels - 1)", environment { $0.maximumPixels = pixels - 1 }, allowed: false)
        let bytes = frame.layout.byteCount
        expect("maximumDecodedBytes \(bytes)", environment { $0.maximumDecodedBytes = bytes }, allowed: true)
        expect("maximumDecodedBytes \(bytes - 1)", environment { $0.maximumDecodedBytes = bytes - 1 }, allowed: false)
        expect("maximumDecodeTime", environment { $0.maximumDecodeTime = .seconds(-1) }, allowed: false)
        if whole.frames.count > 1 {
            expect("maximumFrames \(whole.frames.count)", environment { $0.maximumFrames = whole.frames.count }, allowed: true)
            expect("maximumFrames one less", environment { $0.maximumFrames = whole.frames.count - 1 }, allowed: false)
        }
        failures += budget()
        return failures
    }

    /// A smallest sufficient budget exists; less gives `limitExceeded`; and every reservation ends.
    private func budget() -> [String] {
        func attempt(_ capacity: Int) -> ImageError? {
            let budget = ResourceBudget(capacity: capacity)
            do {
                _ = try decode([sample], environment: DecodeEnvironment(budget: budget))
            } catch { return error }
            return budget.usedBytes == 0 ? nil : ImageError(.misuse, "\(budget.usedBytes) bytes of the budget are not given back")
        }
        var enough = 1 << 40
        if let error = attempt(enough) { return ["\(name): with a large budget: \(error)"] }
        var tooLittle = -1
        while enough - tooLittle > 1 {
            let middle = (enough + tooLittle) / 2
            if let error = attempt(middle) {
                if error.code != .limitExceeded { return ["\(name): a budget of \(middle) bytes throws \(error)"] }
                tooLittle = middle
            } else {
                enough = middle
            }
        }
        return []
    }

    /// Opaque images have the largest alpha everywhere.
    public func opacity() -> [String] {
        guard let result = try? whole() else { return [] }
        var failures: [String] = []
        for (index, frame) in result.frames.enumerated() where frame.layout.alpha == .opaque {
            let bytes = frame.packedBytes()
            let pixel = frame.layout.format == .rgba16 ? 8 : 4
            let isOpaque = stride(from: 0, to: bytes.count, by: pixel).allSatisfy { start in
                bytes[start + pixel * 3 / 4..<start + pixel].allSatisfy { $0 == 255 }
            }
            if !isOpaque { failures.append("\(name): frame \(index) says it is opaque, and is not") }
        }
        return failures
    }

    /// Frames do not depend on the order of calls.
    public func frameOrder() -> [String] {
        do {
            let ascending = try whole()
            guard ascending.frames.count > 1 else { return [] }
            var random = SeededGenerator(seed: 7)
            let backwards = try decode([sample]) { Array((0..<$0).reversed()) }
            let mixed = try decode([sample]) { count in
                (0..<count).map { ($0, random.next()) }.sorted { $0.1 < $1.1 }.map(\.0) + Array(0..<count)
            }
            var failures: [String] = []
            if !same(ascending, backwards) { failures.append("\(name): other frames in descending order") }
            if !same(ascending, mixed) { failures.append("\(name): other frames in mixed order") }
            return failures
        } catch {
            return ["\(name): the order of frames throws \(error)"]
        }
    }

    /// A cancelled task stops the decoder with `cancelled`.
    public func cancellation() async -> [String] {
        let check = self
        let code = await withTaskGroup(of: ImageError.Code?.self) { group in
            group.addTask {
                withUnsafeCurrentTask { $0?.cancel() }
                do throws(ImageError) {
                    _ = try check.whole()
                    return nil
                } catch { return error.code }
            }
            return await group.next() ?? nil
        }
        return code == .cancelled ? [] : ["\(name): a cancelled decode ends with \(code?.name ?? "an image")"]
    }

    /// Encodes `image` and decodes it again. `tolerance` is the largest difference of a channel, 0 for lossless formats.
    ///
    /// For animations, the number of frames, delays and loop count must survive, too.
    public func roundTrip(_ image: DecodedImage, options: EncodeOptions = EncodeOptions(), tolerance: Int) -> [String] {
        do {
            guard let encoder = try coder.makeEncoder(for: format, options: options) else { return ["\(name): no encoder"] }
            var copy = self
            copy.sample = try encoder.encode(image)
            let result = try copy.whole()
            var failures: [String] = []
            let frames = options.firstFrameOnly ? 1 : image.frameCount
            if result.frames.count != frames {
                failures.append("\(name): \(result.frames.count) frames come back, not \(frames)")
            }
            if case .animated(let animation) = image, frames > 1 {
                if result.header.animation?.delays != animation.delays { failures.append("\(name): the delays do not come back") }
                if result.header.animation?.loopCount ?? 1 != animation.loopCount {
                    failures.append("\(name): the loop count does not come back")
                }
            }
            for (index, frame) in result.frames.enumerated() {
                let original: Bitmap
                switch image {
                case .still(let bitmap, _): original = bitmap
                case .animated(let animation): original = try animation.blockingFrame(at: index)
                }
                let difference = ImageDifference(frame, original)
                if difference.map({ $0.largest > tolerance }) ?? true {
                    failures.append("\(name): frame \(index) comes back different by \(difference?.largest ?? 255)")
                }
            }
            return failures
        } catch {
            return ["\(name): writing and reading throws \(error)"]
        }
    }
}
