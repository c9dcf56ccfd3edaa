import Farbfeld
import GannetCore
import GannetTesting
import Testing

@Suite struct FarbfeldTests {
    /// The suite that Gannet's own coders pass: cuts, truncations, limits, errors that stick, cancelling.
    @Test func everyPromiseIsKept() async throws {
        let encoder = try #require(try FarbfeldCoder().makeEncoder(for: .farbfeld, options: EncodeOptions()))
        let image = TestImages.still(try TestImages.discs(width: 9, height: 7))
        let bytes = try encoder.encode(image)
        let check = CoderConformance(FarbfeldCoder(), format: .farbfeld, sample: bytes, name: "discs")
        #expect(check.failures() == [])
        #expect(await check.cancellation() == [])
        #expect(check.roundTrip(image, tolerance: 0) == [])
    }

    @Test func whatIsWrittenComesBack() throws {
        let check = CoderConformance(FarbfeldCoder(), format: .farbfeld, sample: [], name: "round trip")
        #expect(check.roundTrip(try TestImages.still(TestImages.gradient()), tolerance: 0) == [])
        #expect(check.roundTrip(try TestImages.still(TestImages.discs()), tolerance: 0) == [])
    }
}
