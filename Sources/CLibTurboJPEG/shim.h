#pragma once
#include <turbojpeg.h>

/// Reads the pixels: 32 bits each in the machine's byte order, red, green and blue in the lower 24. Returns
/// 0, or -1 where the file is damaged; more than 500 scans count as damage.
static inline int clibturbojpeg_decompress(
    tjhandle decoder, const unsigned char *bytes, unsigned long count, unsigned char *pixels, int width,
    int bytes_per_row, int height) {
    const unsigned one = 1;
    const int format = *(const unsigned char *)&one ? TJPF_BGRX : TJPF_XRGB;
    return tjDecompress2(decoder, bytes, count, pixels, width, bytes_per_row, height, format,
                         TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT);
}
