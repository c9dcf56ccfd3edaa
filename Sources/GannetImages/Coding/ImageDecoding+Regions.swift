public import GannetCore

extension ImageDecoding {
    /// Decodes regions of one file in this order, each with what those before have learnt of it; with `isForgetful`, each alone.
    ///
    /// For the fuzzers, which are a package of their own.
    @_spi(Fuzzing) public func regions(
        _ regions: [PixelRect], of bytes: ByteRope, at target: DecodeTarget, isForgetful: Bool
    ) -> [Result<DecodedImage, ImageError>] {
        var decoding = self
        decoding.environment.memory =
            isForgetful ? nil : RegionMemory(budget: environment.budget, idle: environment.pool.maximumIdleBytes)
        return regions.map { region in
            var options = ResolvedDecodeOptions()
            (options.region, options.target, options.limits) = (region, target, environment.limits)
            do throws(ImageError) { return .success(try decoding.decode(bytes, options: options)) } catch {
                return .failure(error)
            }
        }
    }
}
