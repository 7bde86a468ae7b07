#pragma once
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// After <stdio.h>, which it needs.
#include <jpeglib.h>
#include <jerror.h>

/// A JPEG file in memory, while it is read. Not with the TurboJPEG API, whose one call for all scans and rows
/// cannot be interrupted.
typedef struct {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    /// Where libjpeg's errors go: into the function below that is running.
    jmp_buf escape;
    char words[JMSG_LENGTH_MAX];
} cqp_jpeg_reader;

static inline void cqp_jpeg_fail(j_common_ptr jpeg) {
    cqp_jpeg_reader *reader = (cqp_jpeg_reader *)jpeg->client_data;
    jpeg->err->format_message(jpeg, reader->words);
    longjmp(reader->escape, 1);
}

/// A warning means that data is missing, or makes no sense.
static inline void cqp_jpeg_note(j_common_ptr jpeg, int level) {
    if (level < 0) cqp_jpeg_fail(jpeg);
}

static inline void cqp_jpeg_ignore(j_common_ptr jpeg) { (void)jpeg; }

/// Makes a reader. Returns NULL if there is no memory.
static inline cqp_jpeg_reader *cqp_jpeg_open(void) {
    cqp_jpeg_reader *reader = (cqp_jpeg_reader *)calloc(1, sizeof *reader);
    if (reader == NULL) return NULL;
    reader->jpeg.err = jpeg_std_error(&reader->errors);
    reader->errors.error_exit = cqp_jpeg_fail;
    reader->errors.emit_message = cqp_jpeg_note;
    reader->errors.output_message = cqp_jpeg_ignore;
    reader->jpeg.client_data = reader;
    return reader;
}

static inline void cqp_jpeg_close(cqp_jpeg_reader *reader) {
    jpeg_destroy_decompress(&reader->jpeg);
    free(reader);
}

/// libjpeg's text for an error.
static inline const char *cqp_jpeg_words(const cqp_jpeg_reader *reader) { return reader->words; }

/// Whether the error is that there was no memory.
static inline int cqp_jpeg_lacks_memory(const cqp_jpeg_reader *reader) {
    return reader->errors.msg_code == JERR_OUT_OF_MEMORY;
}

/// Reads the markers before the pixels of a file, whose bytes must stay until the reader is closed. Returns 0
/// if it is damaged.
static inline int cqp_jpeg_read_head(cqp_jpeg_reader *reader, const unsigned char *bytes, size_t count) {
    const unsigned one = 1;
    if (setjmp(reader->escape)) return 0;
    jpeg_create_decompress(&reader->jpeg);
    jpeg_mem_src(&reader->jpeg, bytes, count);
    jpeg_read_header(&reader->jpeg, TRUE);
    reader->jpeg.out_color_space = *(const unsigned char *)&one ? JCS_EXT_BGRX : JCS_EXT_XRGB;
    return 1;
}

static inline unsigned cqp_jpeg_width(const cqp_jpeg_reader *reader) { return reader->jpeg.image_width; }

static inline unsigned cqp_jpeg_height(const cqp_jpeg_reader *reader) { return reader->jpeg.image_height; }

/// Whether the pixels come in several scans, all of which have to be read before the first row.
static inline int cqp_jpeg_has_scans(cqp_jpeg_reader *reader) {
    if (setjmp(reader->escape)) return 0;
    return jpeg_has_multiple_scans(&reader->jpeg);
}

/// The memory that libjpeg takes for the coefficients of a file that has several scans.
static inline size_t cqp_jpeg_coefficient_bytes(const cqp_jpeg_reader *reader) {
    size_t blocks = 0;
    for (int index = 0; index < reader->jpeg.num_components; index++) {
        const jpeg_component_info *part = &reader->jpeg.comp_info[index];
        const size_t across = part->h_samp_factor, down = part->v_samp_factor;
        blocks += ((part->width_in_blocks + across - 1) / across * across) *
                  ((part->height_in_blocks + down - 1) / down * down);
    }
    return blocks * sizeof(JBLOCK);
}

/// Begins to read the pixels. Returns 0 after an error.
static inline int cqp_jpeg_start(cqp_jpeg_reader *reader) {
    if (setjmp(reader->escape)) return 0;
    // With one scan this would keep all coefficients, too.
    reader->jpeg.buffered_image = jpeg_has_multiple_scans(&reader->jpeg);
    jpeg_start_decompress(&reader->jpeg);
    return 1;
}

/// Reads a row of blocks, or the markers between two scans. Returns 1 if there may be more, 0 if all scans
/// are read, -1 if the file is damaged.
static inline int cqp_jpeg_read_scans(cqp_jpeg_reader *reader) {
    if (setjmp(reader->escape)) return -1;
    return jpeg_consume_input(&reader->jpeg) != JPEG_REACHED_EOI;
}

/// The number of the scan that is being read, from 1 on.
static inline int cqp_jpeg_scan(const cqp_jpeg_reader *reader) { return reader->jpeg.input_scan_number; }

/// Prepares to read rows, when all scans are read. Returns 0 after an error.
static inline int cqp_jpeg_start_rows(cqp_jpeg_reader *reader) {
    if (setjmp(reader->escape)) return 0;
    if (reader->jpeg.buffered_image) jpeg_start_output(&reader->jpeg, reader->jpeg.input_scan_number);
    return 1;
}

/// Reads the next row: 32 bits a pixel in the machine's byte order, red, green and blue in the lower 24.
/// Returns 0 if it is damaged.
static inline int cqp_jpeg_read_row(cqp_jpeg_reader *reader, void *pixels) {
    if (setjmp(reader->escape)) return 0;
    JSAMPROW row = (JSAMPROW)pixels;
    jpeg_read_scanlines(&reader->jpeg, &row, 1);
    return 1;
}

/// Reads the markers behind the last row. Returns 0 if it is damaged.
static inline int cqp_jpeg_finish(cqp_jpeg_reader *reader) {
    if (setjmp(reader->escape)) return 0;
    if (reader->jpeg.buffered_image) jpeg_finish_output(&reader->jpeg);
    jpeg_finish_decompress(&reader->jpeg);
    return 1;
}
