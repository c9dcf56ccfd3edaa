/// Corpus files that do not decode as the table says, each with the reason: what the library or the reference does.
enum CorporaExceptions {
    static let reasons: [String: String] = [
        "avif/libavif-color_grid_alpha_nogrid.avif":
            "libavif 0.11 does not find an alpha picture in one piece beside colours in tiles (1.0 does)",
        "bmp/bmpsuite-g-rgb32bf.bmp":
            "bmptopnm, the only reference, takes channels for whole bytes; our mean colour is that of the suite's other pictures",
        "bmp/image-bmp-rgba16-1924.bmp": "bmptopnm, the only reference, leaves out alpha",
        "ico/image-ico-bmp_v5_with_icc.ico":
            "the colour profile stands where the mask would be; the only reference takes its end for a mask",
        "ico/image-ico-multiple_entries_with_different_bit_depth.ico":
            "the table's colour is that of the entry of 8 bits; we show the one of the same size with 32 bits",
        "ico/vips-sample.cur": "the table's colour leaves out the cursor's mask",
    ]
}
