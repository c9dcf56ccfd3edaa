import GannetCore
import GannetTesting
import Synchronization

/// Delivers the first piece of a file at once, and each further one when its gate is open.
struct SteppedLoader: ImageLoader {
    let identifier = "stepped"
    let pieces: [[UInt8]]
    /// One for each piece behind the first.
    let gates: [AsyncGate]

    init(_ bytes: [UInt8], cutAt cuts: [Int]) {
        let ends = cuts + [bytes.count]
        pieces = zip([0] + cuts, ends).map { Array(bytes[$0..<$1]) }
        gates = cuts.map { _ in AsyncGate() }
    }

    func canLoad(_ source: ImageSource) -> Bool { true }

    func load(_ request: LoadRequest) async throws(ImageError) -> LoadResponse {
        let step = Mutex(0)
        let stream = ByteStream { () async throws(ImageError) -> [UInt8]? in
            let number = step.withLock { step in
                defer { step += 1 }
                return step
            }
            guard number < pieces.count else { return nil }
            if number > 0 { await gates[number - 1].wait() }
            return pieces[number]
        }
        let count = pieces.reduce(0) { $0 + $1.count }
        return LoadResponse(body: .stream(stream), origin: .network, expectedBytes: count, freshness: .unknown)
    }
}
