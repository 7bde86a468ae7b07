#pragma once
#include <png.h>
#include <string.h>

/// Reads the head of a PNG file that is in memory. Returns 0 where it is none; `image->message` says why.
static inline int clibpng_begin(png_image *image, const void *bytes, size_t count) {
    memset(image, 0, sizeof *image);
    image->version = PNG_IMAGE_VERSION;
    return png_image_begin_read_from_memory(image, bytes, count);
}

/// Reads the pixels: 32 bits each in the machine's byte order, alpha in the highest 8, not premultiplied.
/// Frees what `clibpng_begin` took. Returns 0 if the file is damaged.
static inline int clibpng_finish(png_image *image, void *pixels, int bytes_per_row) {
    const unsigned one = 1;
    image->format = *(const unsigned char *)&one ? PNG_FORMAT_BGRA : PNG_FORMAT_ARGB;
    return png_image_finish_read(image, NULL, pixels, bytes_per_row, NULL);
}

/// Whether the file has transparent pixels, or may have.
static inline int clibpng_has_alpha(const png_image *image) {
    return (image->format & PNG_FORMAT_FLAG_ALPHA) != 0;
}
