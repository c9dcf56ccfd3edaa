import GannetCache
import GannetCore
import GannetTestSupport
import GannetTesting
import Synchronization
import Testing

@testable import GannetFetch
@testable import GannetImages
@testable import GannetPlatform

/// One line for everything that burns processor time.
@Suite struct PixelWorkTests {
    private enum Entry: Sendable {
        /// Of an image with sides of so many pixels.
        case encode(String, side: Int)
        case visible(String, LoadPriority)
    }

    private let work = PixelWork(slots: 1, budget: 1 << 20, executor: BlockingExecutor(name: "test", threads: 2))

    private static func image(side: Int) throws(ImageError) -> DecodedImage {
        let size = PixelSize(clamping: side, side)
        let buffer = try PixelBuffer(PixelLayout(size: size, alpha: .opaque), pool: .shared)
        return .still(buffer.freeze(), ImageMetadata(format: nil, originalSize: size))
    }

    private static func perform(_ entry: Entry, _ work: PixelWork, _ order: NameList) async throws(ImageError) {
        switch entry {
        case .encode(let name, let side):
            try await work.encode(try image(side: side)) { () throws(ImageError) in order.add(name) }
        case .visible(let name, let priority):
            try await work.run(priority: LivePriority(priority)) { () throws(ImageError) in order.add(name) }
        }
    }

    /// The order in which these are carried out that come one after the other while the only slot is taken.
    private func order(of entries: [Entry]) async -> [String] {
        let (entered, hold, order) = (AsyncGate(), AsyncGate(), NameList())
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [work] in
                try? await work.gate.withSlot(priority: .veryHigh) {
                    entered.open()
                    await hold.wait()
                }
            }
            await entered.wait()
            for (index, entry) in entries.enumerated() {
                group.addTask { [work] in try? await Self.perform(entry, work, order) }
                #expect(await eventually { work.gate.waitingCount == index + 1 })
            }
            hold.open()
        }
        return order.all
    }

    @Test func `A new visible image is decoded before a thousand encodes that were there first`() async {
        let encodes = (0..<1000).map { Entry.encode("encode \($0)", side: 1) }
        let order = await order(of: encodes + [.visible("visible", .normal), .visible("prefetched", .low)])
        #expect(order.count == 1002)
        #expect(order.prefix(3) == ["visible", "prefetched", "encode 0"])
    }

    @Test func `Where too many pixels wait to be encoded, storing keeps pace with decoding`() async {
        // One of these fills the bound, a sixteenth of a mebibyte.
        let encodes = ["first", "second"].map { Entry.encode($0, side: 128) }
        #expect(await order(of: encodes + [.visible("visible", .normal)]) == ["second", "visible", "first"])
    }
}

private final class NameList: Sendable {
    private let names = Mutex<[String]>([])
    var all: [String] { names.withLock { $0 } }
    func add(_ name: String) { names.withLock { $0.append(name) } }
}
