#pragma once
#include <cairo.h>
#include <pango/pangocairo.h>

/// The direction of a character. The first one that has one decides that of a paragraph. Pango has deprecated
/// the question, and has no other for a text that it is not given whole.
static inline PangoDirection cqp_direction(gunichar character) {
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS
    return pango_unichar_direction(character);
    G_GNUC_END_IGNORE_DEPRECATIONS
}
