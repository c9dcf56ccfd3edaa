import CGannetSandbox
import GannetCodecs
import GannetCore

/// A session in a worker, seen from the program. Everything that comes from the worker is checked as if an attacker had sent it.
final class SandboxedDecoder: MultiSizeDecoder, RegionDecoder {
    /// Bytes of the file that are handed on at once: the worker copies them.
    private static let pieceBytes = 8 << 20
    private let pool: SandboxPool
    private let level: gannet_sandbox_level
    private let request: OpenRequest
    private let environment: DecodeEnvironment
    /// Memory of the file and of the worker's decoder, as long as the worker has the file.
    private var reservations: [ResourceBudget.Reservation] = []
    /// What the worker's decoder can do without, until it has answered.
    private var spareRoom: [ResourceBudget.Reservation] = []
    /// That of pixels, until the session ends.
    private var pixelRoom: [ResourceBudget.Reservation] = []
    /// Why the last request was refused memory.
    private var shortage: ImageError?
    private let convertsColors: Bool
    private let name: DecoderName
    private var worker: SandboxWorker?
    /// Where the worker stays for later regions of the file.
    private var fileWorker: FileWorker?
    private var hasWholeFile = false
    private var written = 0
    private var heldPixels = 0
    private var state: SessionState?
    /// Sticks, as in every session.
    private var failure: ImageError?

    init(
        _ request: OpenRequest, _ level: gannet_sandbox_level, _ name: DecoderName, _ environment: DecodeEnvironment,
        pool: SandboxPool
    ) {
        self.environment = environment
        self.pool = pool
        self.level = level
        self.request = request
        self.name = name
        convertsColors = request.options.color == .sRGB && request.colorManager != nil
    }

    deinit {
        guard let worker else { return }
        if let fileWorker {
            // One that is not kept ends here: it has seen parts of a file that may have taken it over.
            guard hasWholeFile, failure == nil else { return }
            worker.shared.trim()
            fileWorker.keep(FileWorker.Loan(worker: worker, count: written, reservations: reservations))
            return
        }
        worker.endFile()
        pool.giveBack(worker)
    }

    func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus {
        try sticky { () throws(ImageError) in
            let isFirst = worker == nil
            let worker = if let known = worker { known } else { try take(for: bytes) }
            self.worker = worker
            try hand(bytes, to: worker)
            let count = written
            var reader = try ask(worker, isFirst ? .open : .read) { writer in
                if isFirst { request.write(&writer) }
                writer.put(count)
                writer.put(bytes.isComplete)
            }
            let state = try checked(worker) { () throws(WireReader.Malformed) in
                let state = try SessionState(&reader, limits: request.options.limits)
                try reader.end()
                return state
            }
            self.state = state
            hasWholeFile = bytes.isComplete
            if count > Self.pieceBytes { worker.shared.forgetFile() }
            return state.status
        }
    }

    /// The worker reads all pieces but the last one, which comes with the next request.
    private func hand(_ bytes: ByteRope, to worker: SandboxWorker) throws(ImageError) {
        let count = bytes.count - written
        guard count > 0 else { return }
        // The worker's copy, this process's own, which no longer counts as waiting for a decode, and the piece that both share.
        try hold(2 * count + min(count, Self.pieceBytes))
        while true {
            let end = min(written + Self.pieceBytes, bytes.count)
            try worker.shared.write(bytes, written..<end)
            written = end
            if end == bytes.count { return }
            let reader = try ask(worker, .bytes) { writer in
                writer.put(end)
                writer.put(bytes.count)
            }
            try checked(worker) { () throws(WireReader.Malformed) in try reader.end() }
            worker.shared.forgetFile()
        }
    }

    func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
        let layout = buffer.layout
        let alpha = try sticky { () throws(ImageError) -> AlphaMode in
            guard let worker else { throw ImageError(.misuse, stage: .decode, "Read bytes before decoding a frame.") }
            try holdPixels(layout.byteCount)
            try worker.shared.reservePixels(layout.byteCount)
            var reader = try ask(worker, .frame) { writer in
                writer.put(index)
                writer.put(layout)
            }
            return try checked(worker) { () throws(WireReader.Malformed) in
                let alpha = try reader.small(AlphaMode.self)
                state?.isPartial = try reader.bool()
                // Found while the frame was decoded.
                state?.colorSpace.brightest = try reader.brightest()
                try reader.end()
                return alpha
            }
        }
        finish(&buffer, alpha)
    }

    func decodePreview(into buffer: inout PixelBuffer) throws(ImageError) -> Bool {
        let layout = buffer.layout
        let alpha = try sticky { () throws(ImageError) -> AlphaMode? in
            guard let worker else { return nil }
            try holdPixels(layout.byteCount)
            try worker.shared.reservePixels(layout.byteCount)
            var reader = try ask(worker, .preview) { $0.put(layout) }
            return try checked(worker) { () throws(WireReader.Malformed) in
                let alpha = try reader.optional { reader throws(WireReader.Malformed) in try reader.small(AlphaMode.self) }
                try reader.end()
                return alpha
            }
        }
        guard let alpha else { return false }
        finish(&buffer, alpha)
        return true
    }

    var otherLayouts: [PixelLayout] { state?.otherLayouts ?? [] }

    func decodeSizes(into buffers: [SizeBuffer]) throws(ImageError) {
        let layouts = buffers.map { $0.edit { $0.layout } }
        let (places, count) = Self.places(of: layouts)
        let alphas = try sticky { () throws(ImageError) -> [AlphaMode] in
            guard let worker else { throw ImageError(.misuse, stage: .decode, "Read bytes before decoding sizes.") }
            try holdPixels(count)
            try worker.shared.reservePixels(count)
            var reader = try ask(worker, .sizes) { writer in
                writer.put(layouts.count)
                for layout in layouts { writer.put(layout) }
            }
            return try checked(worker) { () throws(WireReader.Malformed) -> [AlphaMode] in
                var alphas: [AlphaMode] = []
                for _ in layouts { alphas.append(try reader.small(AlphaMode.self)) }
                try reader.end()
                return alphas
            }
        }
        for (index, buffer) in buffers.enumerated() {
            buffer.edit { pixels in
                worker?.shared.copyPixels(into: &pixels, from: places[index])
                pixels.setAlpha(alphas[index])
            }
        }
    }

    /// Where the pixels of each layout are in the output memory, and the bytes of all.
    static func places(of layouts: [PixelLayout]) -> (places: [Int], count: Int) {
        var (places, end): ([Int], Int) = ([], 0)
        for layout in layouts {
            places.append(end)
            // Pixels begin where a vector may.
            end += (layout.byteCount + 63) & ~63
        }
        return (places, end)
    }

    private func finish(_ buffer: inout PixelBuffer, _ alpha: AlphaMode) {
        worker?.shared.copyPixels(into: &buffer)
        buffer.setAlpha(alpha)
    }

    var header: ImageHeader? { state?.header }
    var outputLayout: PixelLayout? { state?.layout }
    var decodesRegion: Bool { state?.decodesRegion ?? false }
    /// The worker has converted them.
    var outputColorSpace: ColorSpace { convertsColors ? .sRGB : state?.colorSpace ?? .sRGB }
    var isPartial: Bool { state?.isPartial ?? false }
    var availableFrameCount: Int { state?.availableFrames ?? 0 }
    var exif: [UInt8]? { state?.exif }

    private func take(for bytes: ByteRope) throws(ImageError) -> SandboxWorker {
        fileWorker = environment.memory?.value { FileWorker() }
        if let loan = fileWorker?.take(), loan.count == bytes.count, loan.worker.isQuiet {
            (written, reservations) = (loan.count, loan.reservations)
            return loan.worker
        }
        let worker = try pool.take(level, for: environment.places.origin)
        try worker.prepare(request.options.limits)
        // Room for the metadata of a header.
        try worker.shared.reserve(2 * min(request.options.limits.maximumMetadataBytes, 64 << 20) + (1 << 20))
        return worker
    }

    private func ask(_ worker: SandboxWorker, _ kind: RequestKind, _ write: (inout WireWriter) -> Void) throws(ImageError)
        -> WireReader
    {
        shortage = nil
        defer { spareRoom = [] }
        var reader = try worker.ask(kind, within: request.options.limits, name, reserve: reserve(_:isSpare:), write)
        guard reader.isError else { return reader }
        let error = try checked(worker) { () throws(WireReader.Malformed) in try reader.error() }
        // The worker does not know how much there is.
        throw error.code == .limitExceeded ? shortage ?? error : error
    }

    private func hold(_ bytes: Int) throws(ImageError) { reservations.append(try environment.reserve(bytes)) }

    /// The worker draws beside the caller's buffer.
    private func holdPixels(_ bytes: Int) throws(ImageError) {
        guard bytes > heldPixels else { return }
        pixelRoom.append(try environment.reserve(bytes - heldPixels))
        heldPixels = bytes
    }

    private func reserve(_ bytes: Int, isSpare: Bool) -> Bool {
        if isSpare {
            guard let room = environment.budget.reserveSpare(bytes) else { return false }
            spareRoom.append(room)
            return true
        }
        spareRoom = []
        do throws(ImageError) { try hold(bytes) } catch {
            shortage = error
            return false
        }
        return true
    }

    private func checked<R>(_ worker: SandboxWorker, _ body: () throws(WireReader.Malformed) -> R) throws(ImageError) -> R {
        do throws(WireReader.Malformed) { return try body() } catch {
            throw worker.fail(name, "answered with something that is not an answer")
        }
    }

    private func sticky<R>(_ body: () throws(ImageError) -> R) throws(ImageError) -> R {
        if let failure { throw failure }
        do throws(ImageError) { return try body() } catch {
            failure = error
            throw error
        }
    }
}
