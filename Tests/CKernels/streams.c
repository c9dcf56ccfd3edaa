// Unpacking, packing and hashes: zlib streams, LZW of GIF, palettes.
#include "vectors.h"

#include "codes.h"
#include "gannet_gif_lzw.h"
#include "gannet_hash.h"
#include "gannet_inflate.h"
#include "gannet_palette.h"

// zlib streams

/// Unpacks in random pieces of up to `piece` bytes, and returns the number of bytes.
static size_t unpacked(gannet_inflate *inflate, const packed *in, uint8_t *out, size_t room, uint32_t piece, gannet_inflate_status *status) {
    size_t written = 0, given = 0;
    for (;;) {
        size_t part = below(piece) + 1, wanted = below(piece) + 1;
        if (part > in->stream_count - given) part = in->stream_count - given;
        if (wanted > room - written) wanted = room - written;
        const uint8_t *input = in->stream + given;
        size_t left = part, came = wanted;
        *status = gannet_inflate_read(inflate, &input, &left, out + written, &came);
        check(input == in->stream + given + (part - left) && came <= wanted, "the counts are wrong");
        given += part - left;
        written += came;
        if (*status != GANNET_INFLATE_MORE || (came == 0 && part == left)) return written;
    }
}

static void inflate_vectors(void) {
    group("inflate");
    for (int turn = 0; turn < 160; turn++) {
        const size_t room = turn % 16 == 15 ? 300000 : below(20000);
        const uint32_t piece = turn % 4 == 0 ? 400000 : turn % 4 == 1 ? 7 : 1000;
        packed in = random_zlib_stream(room);
        uint8_t *out = odd_zeros(room + 1);
        gannet_inflate *inflate = gannet_inflate_create();
        gannet_inflate_status status;
        size_t count = unpacked(inflate, &in, out, room + 1, piece, &status);
        check(status == GANNET_INFLATE_END && gannet_inflate_checksum(inflate) == 0x01020304, "the end was not found");
        check(count == in.plain_count && memcmp(out, in.plain, count) == 0, "something else was unpacked");
        note(out, count);
        gannet_inflate_destroy(inflate);
        end_vector();
    }
    group("inflate.corrupt");
    for (int turn = 0; turn < 300; turn++) {
        const size_t room = below(6000) + 1;
        packed in = random_zlib_stream(room);
        for (int fault = turn % 3; fault >= 0; fault--) {
            size_t place = 2 + below((uint32_t)in.stream_count - 2);
            in.stream[place] ^= (uint8_t)(1 << below(8));
        }
        if (turn % 5 == 0) in.stream_count = below((uint32_t)in.stream_count);
        // The memory ends with the stream, so that the sanitizer sees a read behind it.
        uint8_t *stream = odd_zeros(in.stream_count), *out = odd_zeros(20000);
        memcpy(stream, in.stream, in.stream_count);
        in.stream = stream;
        gannet_inflate *inflate = gannet_inflate_create();
        gannet_inflate_status status;
        size_t count = unpacked(inflate, &in, out, 20000, turn % 2 == 0 ? 40000 : 100, &status);
        note_number(status);
        note(out, count);
        gannet_inflate_destroy(inflate);
        end_vector();
    }
}

// GIF

/// Indices with runs and repetitions, as drawings have them.
static uint8_t *drawing(size_t count, unsigned colors) {
    uint8_t *indices = zeros(count);
    for (size_t index = 0; index < count; index++) {
        uint32_t kind = below(16);
        indices[index] = kind < 10 && index > 0 ? indices[index - 1]
            : kind < 14 && index > 40       ? indices[index - 40]
                                            : (uint8_t)below(colors);
    }
    return indices;
}

static void gif_vectors(void) {
    group("gif.lzw");
    for (unsigned code_bits = 2; code_bits <= 8; code_bits++)
        for (int turn = 0; turn < 24; turn++) {
            const size_t count = turn < 6 ? (size_t)turn : below(turn == 23 ? 60000 : 4000);
            const uint8_t *indices = drawing(count, 1u << code_bits);
            uint8_t *file = odd_zeros(gannet_gif_lzw_bound(count)), *out = odd_zeros(count);
            size_t written = gannet_gif_lzw_encode(indices, count, code_bits, file);
            note(file, written);
            gannet_gif_lzw *lzw = gannet_gif_lzw_create(code_bits);
            for (size_t at = 0; file[at] != 0; at += (size_t)file[at] + 1)
                for (size_t from = 0; from < file[at];) {
                    size_t part = below(60) + 1;
                    if (part > file[at] - from) part = file[at] - from;
                    check(
                        gannet_gif_lzw_feed(lzw, file + at + 1 + from, part, out, count) != GANNET_GIF_LZW_CORRUPT, "its own file is corrupt");
                    from += part;
                }
            check(gannet_gif_lzw_written(lzw) == count && memcmp(out, indices, count) == 0, "other indices come back");
            gannet_gif_lzw_destroy(lzw);
            end_vector();
        }
    group("gif.lzw.corrupt");
    for (int turn = 0; turn < 300; turn++) {
        size_t count = below(3000), bytes = below(1000);
        uint8_t *out = odd_zeros(count);
        gannet_gif_lzw *lzw = gannet_gif_lzw_create(1 + below(11));
        note_number(gannet_gif_lzw_feed(lzw, odd_noise(bytes), bytes, out, count));
        note(out, gannet_gif_lzw_written(lzw));
        gannet_gif_lzw_destroy(lzw);
        end_vector();
    }
    group("gif.pixels");
    for (size_t count = 0; count <= 60; count++) {
        uint32_t *pixels = zeros(count * 4);
        const uint8_t *indices = odd_noise(count);
        const uint32_t *palette = noise(1024);
        gannet_gif_expand(pixels, indices, count, palette);
        note(pixels, count * 4);
        gannet_gif_blend(pixels, odd_noise(count), count, palette, 7);
        note(pixels, count * 4);
        end_vector();
    }
}

static void palette_vectors(void) {
    group("palette");
    for (int turn = 0; turn < 80; turn++) {
        const size_t width = below(60) + 1, height = below(40) + 1, count = width * height, stride = width * 4 + 3;
        const uint32_t *colors = noise(257 * 4);
        // Sometimes one colour too many.
        const unsigned kinds = turn % 10 == 9 ? 257 : below(256) + 1;
        uint32_t *pixels = zeros(count * 4), *back = zeros(count * 4);
        for (size_t index = 0; index < count; index++)
            pixels[index] = index > 0 && below(3) > 0 ? pixels[index - 1] : colors[index < kinds ? index : below(kinds)];
        uint8_t *numbers = odd_zeros(count), *runs = odd_zeros(count * 2), *rows = odd_zeros(stride * height);
        gannet_palette *palette = zeros(sizeof *palette);
        bool fits = gannet_palette_index(palette, numbers, pixels, count);
        note_number(fits);
        note_number(palette->count);
        note_number(palette->runs);
        if (fits) {
            note(numbers, count);
            gannet_palette_expand(back, numbers, count, palette->colors);
            check(memcmp(back, pixels, count * 4) == 0, "other pixels come back");
            size_t used = gannet_palette_pack(runs, count * 2, numbers, count);
            note(runs, used);
            gannet_palette_unpack(rows, stride, width, height, runs, used, palette->colors);
            for (size_t y = 0; y < height; y++)
                check(memcmp(rows + y * stride, pixels + y * width, width * 4) == 0, "other rows come back");
        }
        end_vector();
    }
}

static void hash_vectors(void) {
    group("hash");
    for (size_t count = 0; count <= 6000; count += count < 300 ? 1 : 397) {
        const uint8_t *bytes = odd_noise(count);
        uint64_t seed = count % 3 == 0 ? 0 : random64(), hash = gannet_hash64(bytes, count, seed);
        gannet_digest128 digest = gannet_hash128(bytes, count);
        check(hash == gannet_hash64_plain(bytes, count, seed), "a level differs");
        note_number(hash);
        note_number(digest.high);
        note_number(digest.low);
        end_vector();
    }
}

void stream_vectors(void) {
    inflate_vectors();
    gif_vectors();
    palette_vectors();
    hash_vectors();
}
