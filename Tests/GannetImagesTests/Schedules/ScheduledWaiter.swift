import GannetCache
import GannetCore
import GannetFetch
import GannetImages
import GannetPlatform
import GannetTestSupport
import GannetTesting
import Synchronization

/// Everything of one schedule in the order in which it happened.
final class ScheduleTrace: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Delivers one small image or one failure for each source, when the schedule opens its gate; counts running loads.
final class ScheduledLoader: ImageLoader {
    let identifier = "scheduled"
    let gates: [AsyncGate]
    let failing: Set<Int>
    private let trace: ScheduleTrace
    private let live: Mutex<[Int]>

    init(sources: Int, failing: Set<Int>, trace: ScheduleTrace) {
        gates = (0..<sources).map { _ in AsyncGate() }
        self.failing = failing
        self.trace = trace
        live = Mutex(Array(repeating: 0, count: sources))
    }

    static func url(_ source: Int) -> String { "https://example.org/\(source).fake" }

    /// Loads of each source that have begun and not ended.
    var running: [Int] { live.withLock { $0 } }

    func canLoad(_ source: ImageSource) -> Bool { true }

    func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
        let source = gates.indices.first { ImageSource(Self.url($0)).keyText == request.source.keyText } ?? 0
        live.withLock { $0[source] += 1 }
        trace.add("load \(source)")
        defer {
            live.withLock { $0[source] -= 1 }
            trace.add("load of \(source) ends")
        }
        await gates[source].wait()
        try ImageError.checkCancellation()
        if failing.contains(source) { throw ImageError(.network, stage: .load, "down") }
        let bytes = FakeImageCoder.bytes(width: 4, height: 4, red: UInt8(source))
        let pieces = Mutex([Array(bytes[5...]), Array(bytes[..<5])])
        let body = ByteStream { () async throws(ImageError) -> [UInt8]? in
            await Task.yield()
            try ImageError.checkCancellation()
            return pieces.withLock { $0.popLast() }
        }
        return LoadResponse(body: .stream(body), origin: .network, expectedBytes: bytes.count)
    }
}

/// One waiter, through one of the faces, and the results that it got.
final class ScheduledWaiter: Sendable {
    enum Face: UInt64, CaseIterable, Sendable { case events, closures, structured }

    let number: Int
    let source: Int
    let key: String
    let face: Face
    private let trace: ScheduleTrace
    private struct State {
        var priority = LoadPriority.normal
        var isCancelled = false
        var hasBegun = true
        /// Of each reader.
        var heard: [[Result<UInt8, ImageError>]] = []
        var previousBytes = 0
        var isWrong: String?
        var task: ImageTask?
        var structured: Task<Void, Never>?
    }
    private let state: Mutex<State>

    init(
        _ number: Int, source: Int, kind: UInt64, face: Face, priority: LoadPriority, manager: ImageManager, trace: ScheduleTrace
    ) {
        self.number = number
        self.source = source
        self.face = face
        self.trace = trace
        key = "\(source)-\(kind)"
        state = Mutex(State(priority: priority))
        var request = ImageRequest(ImageSource(ScheduledLoader.url(source)))
        switch kind {
        case 0: break
        case 1: request = request.with(.fit(2, 2))
        case 2: request = request.with(.transform(AddTransformer(amount: 0), .flip(horizontal: true)))
        default: request = request.with(.transform(AddTransformer(amount: 0), .flip(vertical: true)))
        }
        request.schedule.priority = priority
        begin(request, manager)
    }

    private func begin(_ request: ImageRequest, _ manager: ImageManager) {
        switch face {
        case .events:
            let task = manager.task(for: request)
            // The second one reads from the middle on.
            let readers = (0..<2).map { _ in newReader() }
            for reader in readers {
                Task {
                    if reader == readers[1] { await Task.yield() }
                    for await event in task.events { self.hear(event, reader) }
                }
            }
            state.withLock { $0.task = task }
        case .closures:
            let reader = newReader()
            let task = manager.load(
                request, progress: { self.progress($0.received, reader) },
                completion: { self.end($0.map { Self.red($0) }, reader) })
            state.withLock { $0.task = task }
        case .structured:
            let reader = newReader()
            state.withLock { $0.hasBegun = false }
            let task = Task {
                self.state.withLock { $0.hasBegun = true }
                let result: Result<UInt8, ImageError>
                do throws(ImageError) { result = .success(Self.red(try await manager.image(for: request))) } catch {
                    result = .failure(error)
                }
                self.end(result, reader)
            }
            state.withLock { $0.structured = task }
        }
    }

    private static func red(_ image: LoadedImage) -> UInt8 { image.bitmap.row(0)[0] }

    private func newReader() -> Int {
        state.withLock { state in
            state.heard.append([])
            return state.heard.count - 1
        }
    }

    private func hear(_ event: ImageTaskEvent, _ reader: Int) {
        switch event {
        case .progress(let step): progress(step.received, reader)
        case .finished(let result): end(result.map { Self.red($0) }, reader)
        case .preview, .stale: break
        }
    }

    private func progress(_ received: Int, _ reader: Int) {
        state.withLock { if !$0.heard[reader].isEmpty { $0.isWrong = "progress after the end" } }
    }

    private func end(_ result: Result<UInt8, ImageError>, _ reader: Int) {
        state.withLock { $0.heard[reader].append(result) }
        switch result {
        case .success(let red): trace.add("\(number).\(reader) has \(red)")
        case .failure(let error): trace.add("\(number).\(reader) fails: \(error.code)")
        }
    }

    func cancel() {
        trace.add("cancel \(number)")
        let (task, structured) = state.withLock { state in
            state.isCancelled = true
            return (state.task, state.structured)
        }
        task?.cancel()
        structured?.cancel()
    }

    /// The manager has cancelled everything that has begun.
    func noteCancelled() { state.withLock { if $0.hasBegun { $0.isCancelled = true } } }

    var priority: LoadPriority {
        get { state.withLock { $0.priority } }
        set {
            guard let task = state.withLock({ $0.task }) else { return }
            trace.add("\(number) at \(newValue)")
            state.withLock { $0.priority = newValue }
            task.priority = newValue
        }
    }

    /// The waiter has got no result yet.
    var isWaiting: Bool { state.withLock { $0.heard.allSatisfy(\.isEmpty) } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Describes a result that the waiter must not have got; nil if all is well.
    func complaint(failing: Set<Int>) -> String? {
        state.withLock { state in
            if let wrong = state.isWrong { return "\(number): \(wrong)" }
            let counts = Set(state.heard.map(\.count))
            if counts.count > 1 || (counts.first ?? 0) > 1 { return "\(number) heard \(state.heard.map(\.count)) times" }
            for result in state.heard.joined() {
                switch result {
                case .success(let red):
                    if Int(red) != source { return "\(number) has the picture of \(red)" }
                    if failing.contains(source) { return "\(number) has a picture of a source that fails" }
                case .failure(let error):
                    let isExpected =
                        error.code == .cancelled
                        ? state.isCancelled : failing.contains(source) && (error.code == .network || error.code == .blocked)
                    if !isExpected { return "\(number) failed with \(error)" }
                }
            }
            return nil
        }
    }
}
