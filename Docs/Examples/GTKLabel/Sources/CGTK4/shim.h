#pragma once

#include <gtk/gtk.h>

// What Swift cannot import: macros that cast and check, and functions with any number of arguments.

static inline GtkWidget *cgtk_make_widget(GType type) { return GTK_WIDGET(g_object_new(type, NULL)); }

static inline GObject *cgtk_object(void *object) { return G_OBJECT(object); }
static inline GtkWidget *cgtk_widget(void *object) { return GTK_WIDGET(object); }
static inline GtkWindow *cgtk_window(void *object) { return GTK_WINDOW(object); }
static inline GtkBox *cgtk_box(void *object) { return GTK_BOX(object); }
static inline GtkLabel *cgtk_label(void *object) { return GTK_LABEL(object); }
static inline GtkToggleButton *cgtk_toggle_button(void *object) { return GTK_TOGGLE_BUTTON(object); }
static inline GtkScrolledWindow *cgtk_scrolled_window(void *object) { return GTK_SCROLLED_WINDOW(object); }
static inline GtkEventController *cgtk_event_controller(void *object) { return GTK_EVENT_CONTROLLER(object); }

static inline GtkWidgetClass *cgtk_widget_class(void *type_class) { return GTK_WIDGET_CLASS(type_class); }
