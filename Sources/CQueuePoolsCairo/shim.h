#pragma once
#include <cairo.h>
#include <pango/pangocairo.h>

/// The direction of the first character that has one, which decides that of a paragraph. Pango has deprecated
/// the question, and has no other for a text that it is not given whole.
static inline PangoDirection cqp_first_direction(const char *text, int count) {
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS
    return pango_find_base_dir(text, count);
    G_GNUC_END_IGNORE_DEPRECATIONS
}
