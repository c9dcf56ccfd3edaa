import CGannetKernels
import GannetCore
import Testing

/// XXH3 as its authors publish it, whichever instructions compute it: caches on disk outlive machines.
@Suite struct ChecksumTests {
    /// Of xxHash's own test suite: bytes of its generator, seed 0.
    private func sanity(_ count: Int) -> [UInt8] {
        var state: UInt64 = 2_654_435_761
        return (0..<count).map { _ in
            defer { state = state &* 11_400_714_785_074_694_797 }
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    @Test func publishedValues() {
        #expect(Checksum.xxh3([]) == 0x2D06_8005_38D3_94C2)
        #expect(Checksum.xxh3(sanity(1)) == 0xC44B_DFF4_074E_ECDB)
        #expect(Checksum.xxh3(sanity(2048)) == 0xDD59_E2C3_A5F0_38E0)
    }

    @Test func everyWidthOfStepsGivesTheSame() {
        #if arch(x86_64)
            for count in [1024, 1025, 1087, 1088, 2048, 4096, 10_000, 65_537] {
                let bytes = sanity(count)
                for seed in [0, 1, UInt64.max] {
                    #expect(gannet_hash64(bytes, count, seed) == gannet_hash64_plain(bytes, count, seed), "\(count) bytes")
                }
            }
        #endif
    }
}
