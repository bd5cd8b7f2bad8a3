/* Pictures in the terminal: what it understands, and the bytes that show one.
 *
 * Invariant: nothing is sent to a terminal to ask it unless stdin and stdout are one, and the
 * answer is waited for at most so long (IMAGES_PATIENCE); what was typed is not read. */
#ifndef GRADUS_IMAGES_H
#define GRADUS_IMAGES_H

#include "base/base.h"

/* In the order of image_words. */
typedef enum { IMAGES_AUTO, IMAGES_KITTY, IMAGES_ITERM, IMAGES_SIXEL, IMAGES_OFF } ImageMode;
enum { IMAGE_MODES = IMAGES_OFF + 1, IMAGES_PATIENCE = 200 /* milliseconds */ };
extern const char *const image_words[IMAGE_MODES];

/* What the terminal shows: told by the environment, else by its answer. Never IMAGES_AUTO. */
ImageMode images_found(void);

/* The size of the terminal in pixels; 0: not known. */
typedef struct {
    int columns, rows, width, height;
} ScreenSize;
ScreenSize images_screen(void);

/* Appends what shows a PNG (of sixels: what they are), and a newline. `columns`: as wide as that;
 * 0: as wide as it is. */
void image_put(Text *out, ImageMode mode, const Text *bytes, int columns);

#endif
