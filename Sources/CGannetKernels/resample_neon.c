// 64-bit Arm always has NEON.
#include "vectors.h"

#if GANNET_NEON
#include "resample_plain.h"

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

static void horizontal_u8(int16_t *const *outs, const uint8_t *const *rows, size_t count, const gannet_windows *windows) {
    for (size_t row = 0; row < count; row++) {
        int16_t *out = outs[row];
        for (size_t x = 0; x < windows->count; x++, out += 4) {
            const uint8_t *pixels = rows[row] + (size_t)windows->starts[x] * 4;
            const int16_t *weights = windows->weights + x * windows->taps;
            int32x4_t s0 = vdupq_n_s32(128), s1 = vdupq_n_s32(0);
            for (size_t k = 0; k < windows->taps; k += 4) {
                uint8x16_t v = vld1q_u8(pixels + k * 4);
                int16x8_t low = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(v)));
                int16x8_t high = vreinterpretq_s16_u16(vmovl_high_u8(v));
                int16x4_t w = vld1_s16(weights + k);
                s0 = vmlal_lane_s16(s0, vget_low_s16(low), w, 0);
                s1 = vmlal_high_lane_s16(s1, low, w, 1);
                s0 = vmlal_lane_s16(s0, vget_low_s16(high), w, 2);
                s1 = vmlal_high_lane_s16(s1, high, w, 3);
            }
            vst1_s16(out, vqshrn_n_s32(vaddq_s32(s0, s1), 8));
        }
    }
}

static void horizontal_i16(int16_t *out, const int16_t *row, const gannet_windows *windows) {
    for (size_t x = 0; x < windows->count; x++, out += 4) {
        const int16_t *pixels = row + (size_t)windows->starts[x] * 4;
        const int16_t *weights = windows->weights + x * windows->taps;
        int32x4_t s0 = vdupq_n_s32(8192), s1 = vdupq_n_s32(0);
        for (size_t k = 0; k < windows->taps; k += 2) {
            int16x8_t v = vld1q_s16(pixels + k * 4);
            s0 = vmlal_n_s16(s0, vget_low_s16(v), weights[k]);
            s1 = vmlal_high_n_s16(s1, v, weights[k + 1]);
        }
        vst1_s16(out, vqshrn_n_s32(vaddq_s32(s0, s1), 14));
    }
}

static void vertical_i16(uint8_t *out, const int16_t *const *rows, const int16_t *weights, size_t taps, size_t samples) {
    const uint8x8_t alphas = vcreate_u8(0x0707070703030303u);
    size_t i = 0;
    for (; i + 8 <= samples; i += 8) {
        int32x4_t s0 = vdupq_n_s32(1 << 19), s1 = s0;
        for (size_t k = 0; k < taps; k++) {
            int16x8_t v = vld1q_s16(rows[k] + i);
            s0 = vmlal_n_s16(s0, vget_low_s16(v), weights[k]);
            s1 = vmlal_high_n_s16(s1, v, weights[k]);
        }
        int16x8_t wide = vcombine_s16(vqmovn_s32(vshrq_n_s32(s0, 20)), vqmovn_s32(vshrq_n_s32(s1, 20)));
        uint8x8_t bytes = vqmovun_s16(wide);
        vst1_u8(out + i, vmin_u8(bytes, vtbl1_u8(bytes, alphas)));
    }
    vertical_i16_from(i, out, rows, weights, taps, samples);
}

static void horizontal_u16(float *out, const uint16_t *row, const gannet_windows *windows) {
    horizontal_u16_plain(out, row, windows);
}
static void vertical_u16(uint16_t *out, const float *const *rows, const float *weights, size_t taps, size_t samples) {
    vertical_u16_plain(out, rows, weights, taps, samples);
}

extern const gannet_resample_kernels gannet_resample_neon;
const gannet_resample_kernels gannet_resample_neon = {
    box_sum_rows, box_add_row, box_finish, horizontal_u8, horizontal_i16, vertical_i16, horizontal_u16, vertical_u16,
};
#endif
