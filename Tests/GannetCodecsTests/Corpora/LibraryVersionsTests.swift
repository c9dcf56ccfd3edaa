import GannetCodecs
import Glibc
import Testing

/// The versions that a report about a build needs.
struct LibraryVersionsTests {
    @Test func everyLibrarySaysItsVersion() {
        let libraries = LibraryVersions.all
        #expect(libraries.map(\.name) == libraries.map(\.name).sorted())
        for (name, version) in libraries {
            let numbers = version.split(separator: ".", omittingEmptySubsequences: false)
            #expect(numbers.count >= 2 && numbers[0].allSatisfy(\.isNumber), "\(name) \(version)")
        }
        write(libraries)
    }

    @Test func librariesAreThoseOfTheTraits() {
        let names = Set(LibraryVersions.all.map(\.name))
        #if AVIF
            #expect(names.contains("libavif"))
        #else
            #expect(!names.contains("libavif"))
        #endif
        #if PNG
            #expect(names.contains("libdeflate"))
        #endif
        #if HEIC
            #expect(names.contains("libheif"))
        #endif
        #if JP2
            #expect(names.contains("openjpeg"))
        #endif
        #if RAW
            #expect(names.contains("libraw"))
        #endif
        #if Lottie
            #expect(names.contains("rlottie"))
        #endif
        #if Video
            #expect(names.isSuperset(of: ["libavcodec", "libavformat", "libswscale"]))
        #endif
    }

    /// Into the report that `scripts/conformance.sh` makes a page of.
    private func write(_ libraries: [(name: String, version: String)]) {
        guard let path = getenv("GANNET_CONFORMANCE_REPORT"), let file = fopen(path, "a") else { return }
        defer { fclose(file) }
        for (name, version) in libraries { fputs("library\t\(name)\t\(version)\n", file) }
    }
}
