#pragma once
#include <png.h>
#include <stdint.h>
#include <string.h>

// Swift imports libpng's functions of the simplified API, and not the macros that they need.

/// The size of the largest file that a picture of 8 bits a channel can become; 0 if its extents are too
/// large.
static inline size_t cpng_largest_size(uint32_t width, uint32_t height, int has_alpha) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.width = width;
    image.height = height;
    image.format = has_alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
    return PNG_IMAGE_PNG_SIZE_MAX(image);
}

/// Writes a picture as a PNG file: rows of RGB, or of RGBA with straight alpha. Returns the file's size, 0 if
/// it is not written.
static inline size_t cpng_write(
    const uint8_t *pixels, uint32_t width, uint32_t height, int has_alpha, void *file, size_t capacity) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = has_alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
    size_t size = capacity;
    return png_image_write_to_memory(&image, file, &size, 0, pixels, 0, NULL) ? size : 0;
}

/// Reads the extents of a PNG file, and whether it has transparent pixels or may have. Returns 0 if it is
/// none.
static inline int cpng_read_header(
    const void *file, size_t size, uint32_t *width, uint32_t *height, int *has_alpha) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, file, size)) return 0;
    *width = image.width;
    *height = image.height;
    *has_alpha = (image.format & PNG_FORMAT_FLAG_ALPHA) != 0;
    png_image_free(&image);
    return 1;
}

/// Reads the pixels of a PNG file as rows of RGBA with straight alpha. Returns 0 if it is damaged.
static inline int cpng_read_pixels(const void *file, size_t size, uint8_t *rgba) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, file, size)) return 0;
    image.format = PNG_FORMAT_RGBA;
    return png_image_finish_read(&image, NULL, rgba, 0, NULL);
}
