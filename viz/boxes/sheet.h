/* A sheet of letters on which lines know where they lead; boxes.c draws on it, nobody else. */
#ifndef GRADUS_BOXES_SHEET_H
#define GRADUS_BOXES_SHEET_H

#include "base/base.h"

enum { UP = 1, RIGHT = 2, DOWN = 4, LEFT = 8 };

/* How a border is drawn. */
typedef enum { BORDER_PLAIN, BORDER_ROUND, BORDER_STRONG, BORDER_FRAME, BORDERS } Border;

typedef struct {
    char letter[5];     /* a sign that stands here, whatever runs through; "": none */
    bool covered;       /* by the right half of a wide letter */
    unsigned char ways; /* of the line */
    signed char border; /* of which kind, else -1 */
    bool level;         /* of a border: upper or lower side */
    bool dashed;
    u64 value; /* that the line brings */
} Spot;

typedef struct {
    Spot *at;
    int w, h;
    bool ascii;
} Sheet;

void sheet_init(Sheet *c, int w, int h, bool ascii);
void sheet_free(Sheet *c);
/* Text from a column on; what would stand outside is left out. */
void sheet_text(Sheet *c, int x, int y, const char *text);
/* The border of a rectangle. */
void sheet_border(Sheet *c, int x, int y, int w, int h, Border kind);
typedef struct {
    int x, y;
} Point;
/* A line through n points, of which neighbours stand in a row or column. At its ends it meets what
 * is there or comes. */
void sheet_way(Sheet *c, const Point *at, int n, u64 value, bool dashed);
/* A sign of so many bytes, instead of whatever else is there. */
void sheet_sign(Sheet *c, int x, int y, const char *letter, size_t n);
/* The tip of an arrow that comes from above. */
void sheet_arrow(Sheet *c, int x, int y);
void sheet_print(const Sheet *c, Text *out);

/* Columns of a text. */
int text_columns(const char *text);

#endif
