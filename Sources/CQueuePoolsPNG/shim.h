#pragma once
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A PNG file in memory, while it is read. Not libpng's simplified API, whose one call for all rows cannot be
/// interrupted.
typedef struct {
    png_structp png;
    png_infop info;
    const unsigned char *next;
    size_t left;
    /// Where libpng's errors go: into the function below that is running.
    jmp_buf escape;
    char words[128];
} cqp_png_reader;

static inline void cqp_png_close(cqp_png_reader *reader) {
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

static inline void cqp_png_fail(png_structp png, png_const_charp words) {
    cqp_png_reader *reader = (cqp_png_reader *)png_get_error_ptr(png);
    snprintf(reader->words, sizeof reader->words, "%s", words);
    longjmp(reader->escape, 1);
}

static inline void cqp_png_ignore(png_structp png, png_const_charp words) {
    (void)png;
    (void)words;
}

static inline void cqp_png_take(png_structp png, png_bytep bytes, size_t count) {
    cqp_png_reader *reader = (cqp_png_reader *)png_get_io_ptr(png);
    if (count > reader->left) png_error(png, "the file is cut off");
    memcpy(bytes, reader->next, count);
    reader->next += count;
    reader->left -= count;
}

/// Begins to read a file, whose bytes must stay until the reader is closed. Returns NULL if there is no
/// memory.
static inline cqp_png_reader *cqp_png_open(const void *bytes, size_t count) {
    cqp_png_reader *reader = (cqp_png_reader *)calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->next = (const unsigned char *)bytes;
    reader->left = count;
    reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, cqp_png_fail, cqp_png_ignore);
    if (reader->png != NULL) reader->info = png_create_info_struct(reader->png);
    if (reader->info != NULL) return reader;
    cqp_png_close(reader);
    return NULL;
}

/// libpng's text for an error.
static inline const char *cqp_png_words(const cqp_png_reader *reader) { return reader->words; }

/// Reads the chunks before the pixels. Returns 0 if they are damaged.
static inline int cqp_png_read_head(cqp_png_reader *reader) {
    static const png_byte gamma_chunks[] = "gAMA\0sRGB";
    if (setjmp(reader->escape)) return 0;
    png_set_benign_errors(reader->png, 1);
    // Unused chunks are not unpacked.
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_AS_DEFAULT, gamma_chunks, 2);
    png_set_read_fn(reader->png, reader, cqp_png_take);
    png_read_info(reader->png, reader->info);
    return 1;
}

static inline unsigned cqp_png_width(const cqp_png_reader *reader) {
    return png_get_image_width(reader->png, reader->info);
}

static inline unsigned cqp_png_height(const cqp_png_reader *reader) {
    return png_get_image_height(reader->png, reader->info);
}

/// Whether the file has transparent pixels, or may have.
static inline int cqp_png_has_alpha(const cqp_png_reader *reader) {
    return (png_get_color_type(reader->png, reader->info) & PNG_COLOR_MASK_ALPHA) != 0 ||
           png_get_valid(reader->png, reader->info, PNG_INFO_tRNS) != 0;
}

/// Prepares to read rows: 32 bits a pixel in the machine's byte order, alpha in the highest 8, not
/// premultiplied, in sRGB. Returns how often all rows have to be read, or 0 after an error.
static inline int cqp_png_start(cqp_png_reader *reader) {
    const unsigned one = 1;
    const int is_little = *(const unsigned char *)&one;
    const int has_alpha = cqp_png_has_alpha(reader);
    if (setjmp(reader->escape)) return 0;
    png_set_expand(reader->png);
    png_set_scale_16(reader->png);
    if (!(png_get_color_type(reader->png, reader->info) & PNG_COLOR_MASK_COLOR)) {
        png_set_gray_to_rgb(reader->png);
    }
    // Samples are those of sRGB if the file does not say otherwise.
    png_set_alpha_mode(reader->png, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB);
    if (is_little) png_set_bgr(reader->png);
    if (!has_alpha) {
        png_set_add_alpha(reader->png, 255, is_little ? PNG_FILLER_AFTER : PNG_FILLER_BEFORE);
    } else if (!is_little) {
        png_set_swap_alpha(reader->png);
    }
    const int passes = png_set_interlace_handling(reader->png);
    png_read_update_info(reader->png, reader->info);
    if (png_get_rowbytes(reader->png, reader->info) != 4 * (size_t)cqp_png_width(reader)) {
        png_error(reader->png, "unexpected rows");
    }
    return passes;
}

/// Reads the next row of a pass over the pixels of the passes before it. Returns 0 if it is damaged.
static inline int cqp_png_read_row(cqp_png_reader *reader, void *pixels) {
    if (setjmp(reader->escape)) return 0;
    png_read_row(reader->png, (png_bytep)pixels, NULL);
    return 1;
}
