import Gannet
import Testing

/// What `ImageManager.shared` answers once the program has set it.
@Suite struct SharedManagerTests {
    // MG-02, KF-20
    @Test func `A program may put its own manager in the place of the shared one`() {
        for _ in 0..<2 {
            let own = ImageManager(
                configuration: ManagerConfiguration(
                    memoryCache: nil, diskCache: nil, loaders: LoadersManager(), coders: CodersManager([])))
            ImageManager.shared = own
            #expect(ImageManager.shared === own)
        }
    }
}
