import CSandboxFaults
import GannetCore

/// A format whose files say what their decoder does: `FAULT`, a verb, a number.
struct FaultCoder: ImageCoder, WorkerLoadable {
    enum Verb: UInt8 {
        /// Draws 16 × 16 pixels of the number's gray.
        case draw
        /// Commits a fault while it decodes a frame.
        case commit
        /// The same, while it reads.
        case commitEarly
        /// Tries something that is forbidden, and draws the error number.
        case attempt
        /// Says that it has a size that its limits forbid.
        case lie
        /// Leaves the number in freed memory, and draws it.
        case spill
        /// Draws the content of new memory before it is written.
        case leave
        /// Throws `corrupt`.
        case refuse
        /// Has taken the worker over: draws the number of the image before it, and keeps its own for the next one.
        case takeOver
        /// Reserves so many MiB of the program's budget.
        case reserve
        /// Reserves single bytes, so many hundreds of them.
        case reserveBytes
    }

    static func file(_ verb: Verb, _ number: UInt8) -> ByteRope {
        ByteRope(Array("FAULT".utf8) + [verb.rawValue, number])
    }

    static let format = ImageFormat(identifier: "fault", mimeTypes: ["image/x-fault"], fileExtensions: ["fault"])

    var identifier: String { "fault" }
    var formats: [ImageFormat] { [Self.format] }

    func recognizes(_ head: Span<UInt8>) -> Recognition {
        head.count > 4 && head[0] == UInt8(ascii: "F") && head[4] == UInt8(ascii: "T") ? .yes(Self.format) : .no
    }

    func makeDecoder(
        for format: ImageFormat, options: ResolvedDecodeOptions, environment: DecodeEnvironment
    ) throws(ImageError) -> any ImageDecoder { Decoder(environment.budget) }

    func makeEncoder(for format: ImageFormat, options: EncodeOptions) throws(ImageError) -> (any ImageEncoder)? { nil }

    private final class Decoder: ImageDecoder {
        private var verb = Verb.draw
        private var number: UInt8 = 0
        private let budget: ResourceBudget
        private var reservations: [ResourceBudget.Reservation] = []
        private(set) var header: ImageHeader?
        var outputLayout: PixelLayout? { header.map { PixelLayout(size: $0.size) } }

        init(_ budget: ResourceBudget) { self.budget = budget }

        func read(from bytes: ByteRope) throws(ImageError) -> DecodeStatus {
            let all = bytes.contiguous()
            guard all.count == 7, let verb = Verb(rawValue: all[5]) else {
                throw ImageError(.corrupt, stage: .decode, "The file says nothing.")
            }
            (self.verb, number) = (verb, all[6])
            if verb == .commitEarly { sandbox_fault_commit(sandbox_fault(UInt32(number))) }
            let side = verb == .lie ? 1 << 22 : 16
            header = ImageHeader(format: FaultCoder.format, size: PixelSize(clamping: side, side))
            return .finished
        }

        func decodeFrame(at index: Int, into buffer: inout PixelBuffer) throws(ImageError) {
            var gray = number
            switch verb {
            case .draw, .commitEarly, .lie: break
            case .commit: sandbox_fault_commit(sandbox_fault(UInt32(number)))
            case .spill: sandbox_spill(number)
            case .leave: gray = sandbox_unwritten()
            case .attempt: gray = UInt8(clamping: sandbox_try_it(sandbox_try(UInt32(number))))
            case .takeOver: gray = sandbox_exchange(number)
            case .reserve:
                guard let reservation = try budget.reserve(Int(number) << 20) else {
                    throw ImageError(.limitExceeded, stage: .decode, "There is no memory for the file.")
                }
                reservations = [reservation]
            case .reserveBytes:
                for _ in 0..<Int(number) * 100 {
                    if let reservation = try budget.reserve(1) { reservations.append(reservation) }
                }
            case .refuse: throw ImageError(.corrupt, stage: .decode, "The file is refused.")
            }
            buffer.fill(gray)
            buffer.setAlpha(.opaque)
        }
    }
}
