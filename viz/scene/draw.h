/* Having a scene drawn by the separate program `gradus-draw`.
 *
 * Invariant: whatever that program does (hang, crash, be missing), the caller
 * gets a message and goes on; no signal is delivered to it, no child is left. */
#ifndef GRADUS_DRAW_H
#define GRADUS_DRAW_H

#include "viz/scene/scene.h"

/* On the clock a drawing may take so many times its time limit, which counts processor time. */
enum { DRAW_PATIENCE = 20, DRAW_SECONDS = 60 };

/* The formats of drawings, a row each. The name ends the file that is asked for, and draw_<name>()
 * of viz/draw writes it; the first is what gradus-draw writes unless told otherwise. */
#define DRAW_FORMATS(ROW) ROW(svg) ROW(png) ROW(pdf) ROW(dot) ROW(json) ROW(tex) ROW(mmd) ROW(sixel)

#define DRAW_ROW_WORD(NAME) " " #NAME
#define DRAW_ROW_END(NAME) " ." #NAME
#define DRAW_WORDS DRAW_FORMATS(DRAW_ROW_WORD) /* " svg png" */
#define DRAW_ROW_FILE(NAME) "|." #NAME
#define DRAW_FILES DRAW_FORMATS(DRAW_ROW_FILE) /* "|.svg|.png" */
#define DRAW_ENDS DRAW_FORMATS(DRAW_ROW_END)   /* " .svg .png" */

/* The format that a file's name asks for, or NULL. */
const char *draw_format(const char *path);

/* Draws `s` in a format (json: the scene with its layout); bytes are appended to *out (PNG holds
 * NULs: use out->len). `seconds`: the limit of processor time, <= 0 for DRAW_SECONDS. It only ever
 * stops with an error: what is drawn depends on the scene alone. So does ^C (of *out). On failure
 * false and a message (caller frees) in *error. On success *error is NULL, or remarks of the
 * program such as a coarser layout that had to be used (caller frees). */
bool draw_run(const Scene *s, const char *format, double seconds, Text *out, char **error);

#endif
