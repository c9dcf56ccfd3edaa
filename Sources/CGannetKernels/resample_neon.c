// 64-bit Arm always has NEON.
#if defined(__aarch64__)
#include "resample_plain.h"
#include <arm_neon.h>

static void box_add_row(uint16_t *sums, const uint8_t *row, size_t samples) {
    size_t i = 0;
    for (; i + 16 <= samples; i += 16) {
        uint8x16_t v = vld1q_u8(row + i);
        vst1q_u16(sums + i, vaddw_u8(vld1q_u16(sums + i), vget_low_u8(v)));
        vst1q_u16(sums + i + 8, vaddw_high_u8(vld1q_u16(sums + i + 8), v));
    }
    box_add_row_from(i, sums, row, samples);
}

static void box_sum_rows(uint16_t *sums, const uint8_t *rows, size_t stride, size_t count, size_t samples) {
    size_t i = 0;
    for (; i + 16 <= samples; i += 16) {
        uint16x8_t low = vdupq_n_u16(0), high = low;
        for (size_t k = 0; k < count; k++) {
            uint8x16_t v = vld1q_u8(rows + k * stride + i);
            low = vaddw_u8(low, vget_low_u8(v));
            high = vaddw_high_u8(high, v);
        }
        vst1q_u16(sums + i, low);
        vst1q_u16(sums + i + 8, high);
    }
    box_sum_rows_from(i, sums, rows, stride, count, samples);
}

static void box_finish(int16_t *out, const uint16_t *sums, size_t width, size_t factor, size_t rows) {
    for (size_t x = 0; x < width; x += factor, out += 4) {
        size_t count = width - x < factor ? width - x : factor;
        uint32x4_t sum = vdupq_n_u32(0);
        for (size_t k = 0; k < count; k++) sum = vaddw_u16(sum, vld1_u16(sums + (x + k) * 4));
        float32x4_t scaled = vmulq_n_f32(vcvtq_f32_u32(sum), 64.0f / (float)(count * rows));
        vst1_s16(out, vqmovn_s32(vcvtq_s32_f32(vaddq_f32(scaled, vdupq_n_f32(0.5f)))));
    }
}

static void vertical_u8(int16_t *out, const uint8_t *const *rows, const int16_t *weights, size_t taps, size_t samples) {
    size_t i = 0;
    for (; i + 16 <= samples; i += 16) {
        int32x4_t s0 = vdupq_n_s32(128), s1 = s0, s2 = s0, s3 = s0;
        for (size_t k = 0; k < taps; k++) {
            uint8x16_t v = vld1q_u8(rows[k] + i);
            int16x8_t low = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(v)));
            int16x8_t high = vreinterpretq_s16_u16(vmovl_high_u8(v));
            s0 = vmlal_n_s16(s0, vget_low_s16(low), weights[k]);
            s1 = vmlal_high_n_s16(s1, low, weights[k]);
            s2 = vmlal_n_s16(s2, vget_low_s16(high), weights[k]);
            s3 = vmlal_high_n_s16(s3, high, weights[k]);
        }
        vst1q_s16(out + i, vcombine_s16(vqshrn_n_s32(s0, 8), vqshrn_n_s32(s1, 8)));
        vst1q_s16(out + i + 8, vcombine_s16(vqshrn_n_s32(s2, 8), vqshrn_n_s32(s3, 8)));
    }
    vertical_u8_from(i, out, rows, weights, taps, samples);
}

static void vertical_i16(int16_t *out, const int16_t *const *rows, const int16_t *weights, size_t taps, size_t samples) {
    size_t i = 0;
    for (; i + 8 <= samples; i += 8) {
        int32x4_t s0 = vdupq_n_s32(8192), s1 = s0;
        for (size_t k = 0; k < taps; k++) {
            int16x8_t v = vld1q_s16(rows[k] + i);
            s0 = vmlal_n_s16(s0, vget_low_s16(v), weights[k]);
            s1 = vmlal_high_n_s16(s1, v, weights[k]);
        }
        vst1q_s16(out + i, vcombine_s16(vqshrn_n_s32(s0, 14), vqshrn_n_s32(s1, 14)));
    }
    vertical_i16_from(i, out, rows, weights, taps, samples);
}

static void horizontal_u8(uint8_t *out, const int16_t *row, const gannet_windows *windows) {
    for (size_t x = 0; x < windows->count; x++, out += 4) {
        const int16_t *pixels = row + (size_t)windows->starts[x] * 4;
        const int16_t *weights = windows->weights + x * windows->taps;
        int32x4_t s0 = vdupq_n_s32(1 << 19), s1 = vdupq_n_s32(0);
        for (size_t k = 0; k < windows->taps; k += 2) {
            int16x8_t v = vld1q_s16(pixels + k * 4);
            s0 = vmlal_n_s16(s0, vget_low_s16(v), weights[k]);
            s1 = vmlal_high_n_s16(s1, v, weights[k + 1]);
        }
        int32x4_t sum = vshrq_n_s32(vaddq_s32(s0, s1), 20);
        int32_t channels[4];
        vst1q_s32(channels, sum);
        int32_t alpha = clamp_to(channels[3], 255);
        for (size_t c = 0; c < 3; c++) out[c] = (uint8_t)clamp_to(channels[c], alpha);
        out[3] = (uint8_t)alpha;
    }
}

static void vertical_u16(float *out, const uint16_t *const *rows, const float *weights, size_t taps, size_t samples) {
    vertical_u16_plain(out, rows, weights, taps, samples);
}
static void horizontal_u16(uint16_t *out, const float *row, const gannet_windows *windows) {
    horizontal_u16_plain(out, row, windows);
}

extern const gannet_resample_kernels gannet_resample_neon;
const gannet_resample_kernels gannet_resample_neon = {
    box_sum_rows, box_add_row, box_finish, vertical_u8, vertical_i16, horizontal_u8, vertical_u16, horizontal_u16,
};
#endif
