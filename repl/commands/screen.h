/* Pictures on the screen: as boxes and lines, or as the terminal's own pictures. */
#ifndef GRADUS_SCREEN_H
#define GRADUS_SCREEN_H

#include "repl/commands/commands.h"
#include "viz/scene/scene.h"

/* The scene as boxes, if it fits; else a diagnostic, which says what to do: `hint`. */
bool screen_boxes(Call *c, const Scene *s, Text *out, const char *hint);

/* What shows pictures where this command's output goes; IMAGES_OFF: nothing. Asks the terminal
 * once. */
ImageMode screen_images(Call *c);
/* Dots per inch at which letters of a picture are as high as those of the terminal. */
int screen_dpi(void);
/* Shows a picture in the format of the mode after what the command tells; in the terminal's width
 * at most. */
void screen_show(Call *c, ImageMode mode, const Text *bytes);
/* Pixels that a picture may be wide; 0: not known. */
int screen_pixels(void);

#endif
