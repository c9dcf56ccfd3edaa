/// Corpus files that do not decode as the table says, each with the reason: what the library or the reference does.
enum CorporaExceptions {
    static let reasons: [String: String] = [
        "avif/libavif-color_grid_alpha_nogrid.avif":
            "libavif 0.11 does not find an alpha picture in one piece beside colours in tiles (1.0 does)"
    ]
}
