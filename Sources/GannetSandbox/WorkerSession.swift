import CGannetSandbox
import GannetCore
import GannetImages
import Glibc

#if Video
    import GannetCodecs
#endif

/// The session of one file in the worker, and the memory that it shares with the program.
struct WorkerSession {
    /// Replies up to this size are sent; larger ones (a colour profile, the delays of a long animation) go through the output
    /// memory.
    static let sentBytes = 32 << 10

    private var decoder: (any ImageDecoder)?
    private var options = ResolvedDecodeOptions()
    private var colorManager: (any ColorManager)?
    private var rope = ByteRope()
    /// Bytes of a large file that came in pieces, and are not in the rope yet.
    private var arrived: [UInt8] = []
    /// What was learnt of the file, with the budget that it counts in.
    private var knowledge: (memory: RegionMemory, budget: ResourceBudget)?
    /// Made once for each type; a colour manager keeps its conversions.
    private var managers: [String: any ColorManager] = [:]
    private var output = OutputMapping()

    /// Nil if the request expects no reply.
    mutating func reply(to bytes: [UInt8]) -> [UInt8]? {
        var reader = WireReader(bytes)
        var writer = WireWriter()
        do {
            let number = try reader.int()
            guard let kind = RequestKind(rawValue: try reader.int()) else { throw WireReader.Malformed() }
            if kind == .close {
                close()
                return nil
            }
            var content = WireWriter()
            do throws(ImageError) {
                try carryOut(kind, &reader, &content)
                writer.put(Int(ReplyKind.result.rawValue))
            } catch {
                content = WireWriter()
                content.put(error)
                writer.put(Int(ReplyKind.error.rawValue))
            }
            writer.put(number)
            finish(&writer, content)
        } catch {
            // The program's own words: only another version of it can send others.
            exit(1)
        }
        return writer.bytes
    }

    private mutating func finish(_ writer: inout WireWriter, _ content: WireWriter) {
        let isSent = content.bytes.count <= Self.sentBytes
        writer.put(isSent)
        if isSent {
            writer.put(content.bytes)
        } else if output.write(content.bytes) {
            writer.put(content.bytes.count)
        } else {
            exit(1)
        }
    }

    private mutating func carryOut(_ kind: RequestKind, _ reader: inout WireReader, _ content: inout WireWriter)
        throws(ImageError)
    {
        do {
            switch kind {
            case .open:
                try open(try OpenRequest(&reader))
                try read(&reader, &content)
            case .read: try read(&reader, &content)
            case .frame:
                let index = try reader.int()
                let alpha = try draw(&reader) { decoder, buffer throws(ImageError) in
                    try decoder.decodeFrame(at: index, into: &buffer)
                    return true
                }
                if let alpha { content.put(Int(alpha.rawValue)) }
                content.put(decoder?.isPartial ?? false)
                content.put(decoder?.outputColorSpace.brightest) { $0.put($1) }
            case .preview:
                let alpha = try draw(&reader) { decoder, buffer throws(ImageError) in
                    try decoder.decodePreview(into: &buffer)
                }
                content.put(alpha) { $0.put(Int($1.rawValue)) }
            case .sizes:
                for alpha in try drawSizes(&reader) { content.put(Int(alpha.rawValue)) }
            case .bytes:
                let (end, total) = (try reader.int(), try reader.int())
                let start = rope.count + arrived.count
                guard end >= start, total >= end else { throw WireReader.Malformed() }
                arrived.reserveCapacity(total - rope.count)
                arrived += try input(from: start, end - start)
            case .close: break
            }
        } catch let error as ImageError {
            throw error
        } catch {
            exit(1)
        }
    }

    private mutating func open(_ request: OpenRequest) throws {
        decoder = nil
        guard let coder = Self.make(request.coder) as? any ImageCoder else {
            throw ImageError(.misuse, stage: .decode, "The worker does not have the coder \(request.coder).")
        }
        options = request.options
        colorManager = request.colorManager.flatMap { manager($0) }
        var load = LoadContext()
        #if Video
            load.videoTime = request.videoTime
        #endif
        if request.keepsKnowledge, knowledge == nil {
            let budget = ResourceBudget(asking: Self.reserve(_:isSpare:))
            knowledge = (RegionMemory(budget: budget), budget)
        }
        var environment = DecodeEnvironment(
            limits: options.limits, pool: knowledge?.memory.pool ?? .shared,
            budget: knowledge?.budget ?? ResourceBudget(asking: Self.reserve(_:isSpare:)), colorManager: colorManager,
            threads: request.threads, load: load)
        environment.memory = knowledge?.memory
        decoder = try coder.makeDecoder(for: request.format, options: options, environment: environment)
    }

    private mutating func read(_ reader: inout WireReader, _ content: inout WireWriter) throws {
        let count = try reader.int()
        let isComplete = try reader.bool()
        if count > rope.count + arrived.count {
            let start = rope.count + arrived.count
            let rest = try input(from: start, count - start)
            if arrived.isEmpty { arrived = rest } else { arrived += rest }
        }
        rope.append(arrived)
        arrived = []
        rope.isComplete = isComplete
        guard let decoder else { throw WireReader.Malformed() }
        let status = try decoder.read(from: rope)
        SessionState(status, of: decoder).write(&content)
    }

    private mutating func draw(
        _ reader: inout WireReader, _ body: (any ImageDecoder, inout PixelBuffer) throws(ImageError) -> Bool
    ) throws -> AlphaMode? {
        let layout = try reader.layout()
        guard let decoder else { throw WireReader.Malformed() }
        // Lives as long as `output`, and this buffer ends here.
        var buffer = PixelBuffer(layout, at: try outputMemory(layout.byteCount))
        guard try body(decoder, &buffer) else { return nil }
        return try finished(&buffer, of: decoder)
    }

    private mutating func drawSizes(_ reader: inout WireReader) throws -> [AlphaMode] {
        var layouts: [PixelLayout] = []
        for _ in 0..<(try reader.int(in: 1...1000)) { layouts.append(try reader.layout()) }
        guard let decoder = decoder as? any MultiSizeDecoder else { throw WireReader.Malformed() }
        let (places, count) = SandboxedDecoder.places(of: layouts)
        // Lives as long as `output`, and the buffers end here.
        let base = try outputMemory(count)
        let buffers = zip(layouts, places).map { SizeBuffer(PixelBuffer($0, at: base + $1)) }
        try decoder.decodeSizes(into: buffers)
        var alphas: [AlphaMode] = []
        for buffer in buffers {
            var pixels = buffer.take()
            alphas.append(try finished(&pixels, of: decoder))
        }
        return alphas
    }

    private mutating func outputMemory(_ count: Int) throws(ImageError) -> UnsafeMutableRawPointer {
        if let base = output.map(count) { return base }
        throw ImageError(
            .limitExceeded, stage: .decode,
            "The image needs more memory than the sandbox allows; ask for a smaller target size.")
    }

    private func finished(_ buffer: inout PixelBuffer, of decoder: any ImageDecoder) throws(ImageError) -> AlphaMode {
        if options.color == .sRGB, let colorManager {
            try convertToSRGB(&buffer, from: decoder.outputColorSpace, with: colorManager, options.toneMapping)
        }
        return buffer.layout.alpha
    }

    /// Asks the program, whose budget counts what all workers use.
    private static func reserve(_ bytes: Int, isSpare: Bool) -> Bool {
        var writer = WireWriter()
        writer.put(Int(ReplyKind.reservation.rawValue))
        writer.put(bytes)
        writer.put(isSpare)
        guard send(WorkerDescriptor.socket, writer.bytes, writer.bytes.count, Int32(MSG_NOSIGNAL)) == writer.bytes.count else {
            exit(1)
        }
        var answer: UInt8 = 0
        var count = -1
        repeat { count = recv(WorkerDescriptor.socket, &answer, 1, 0) } while count < 0 && errno == EINTR
        guard count == 1 else { exit(1) }
        return answer == 1
    }

    private mutating func close() {
        decoder = nil
        knowledge = nil
        (rope, arrived) = (ByteRope(), [])
    }

    private mutating func manager(_ name: String) -> (any ColorManager)? {
        if let known = managers[name] { return known }
        guard let made = Self.make(name) as? any ColorManager else { return nil }
        managers[name] = made
        return made
    }

    private static func make(_ name: String) -> (any WorkerLoadable)? {
        guard let type = _typeByName(name) as? any WorkerLoadable.Type else { return nil }
        return type.init()
    }

    /// Bytes of the file, which the program has written into the input memory.
    private func input(from start: Int, _ count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let base = buffer.baseAddress {
                let got = pread(WorkerDescriptor.input, base + filled, count - filled, off_t(start + filled))
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { throw WireReader.Malformed() }
                filled += got
            }
        }
    }
}

/// The output memory as this process sees it: mapped when first needed, and again when more is needed. The mapping lives as long as
/// the worker.
private struct OutputMapping {
    private var base: UnsafeMutableRawPointer?
    private var bytes = 0

    mutating func map(_ wanted: Int) -> UnsafeMutableRawPointer? {
        if wanted <= bytes { return base }
        if let base { munmap(base, bytes) }
        (base, bytes) = (nil, 0)
        guard let mapped = mmap(nil, wanted, PROT_READ | PROT_WRITE, MAP_SHARED, WorkerDescriptor.output, 0), mapped != MAP_FAILED
        else { return nil }
        (base, bytes) = (mapped, wanted)
        return mapped
    }

    mutating func write(_ content: [UInt8]) -> Bool {
        guard let base = map(content.count) else { return false }
        content.withUnsafeBytes { base.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(base), byteCount: $0.count) }
        return true
    }
}
