/* Labels: made printable, broken into lines and measured with built-in metrics
 * (those of a wide sans, so that text fits whichever font the viewer has).
 *
 * Invariant: a block never holds more than MAX_LINES lines and each is short;
 * what does not fit is replaced by an ellipsis, and the tooltip has it all. */
#include "base/utf8.h"
#include "viz/draw/paint.h"

#include <math.h>

enum { WRAP_LABEL = 34, WRAP_DETAIL = 44, MAX_LABEL_LINES = 3, MAX_OTHER_LINES = 2 };

/* Advance widths of ASCII 32..126 in 1/1000 em. */
static const u16 widths_sans[95] = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
static const u16 widths_bold[95] = {
    348,  456, 521, 838, 696, 1002, 872, 306,  457, 457, 523, 838, 380, 415,  380, 365,
    696,  696, 696, 696, 696, 696,  696, 696,  696, 696, 400, 400, 838, 838,  838, 580,
    1000, 774, 762, 734, 830, 683,  683, 821,  837, 372, 372, 775, 637, 995,  837, 850,
    733,  850, 770, 720, 682, 812,  774, 1103, 771, 724, 725, 457, 365, 457,  838, 500,
    500,  675, 716, 593, 716, 678,  435, 716,  712, 343, 343, 665, 343, 1042, 712, 687,
    716,  716, 493, 595, 478, 712,  652, 924,  645, 652, 582, 712, 365, 712,  838};

static double char_width(Font f, u32 c)
{
    if (c >= 32 && c < 127)
        return f == FONT_MONO ? 602 : f == FONT_BOLD ? widths_bold[c - 32] : widths_sans[c - 32];
    int columns = utf8_width(c);
    if (columns == 0)
        return 0;
    if (columns == 2)
        return 1250; /* ideographs are 1000, emoji up to 1250 */
    if (c == 0x2026) /* ellipsis */
        return f == FONT_MONO ? 602 : 1000;
    return f == FONT_MONO ? 602 : c < 0x2000 ? 720 : 850;
}

double text_width(Font f, double size, const char *s)
{
    double w = 0;
    for (size_t i = 0, n = strlen(s); i < n;) {
        u32 c = 0xFFFD;
        int len = utf8_decode(s + i, n - i, &c);
        w += char_width(f, c);
        i += len ? (size_t)len : 1;
    }
    return w * size / 1000;
}

const Letters picture_letters[LETTERS_COUNT] = {
    [LINE_LABEL] = {"\\gradusLabel", FONT_BOLD, 13.5},
    [LINE_ID] = {"\\gradusId", FONT_MONO, 10},
    [LINE_DETAIL] = {"\\gradusDetail", FONT_MONO, 11},
    [LINE_VALUE] = {"\\gradusValue", FONT_MONO, 11},
    [LINE_GRAD] = {"\\gradusGrad", FONT_MONO, 11},
    [LINE_MORE] = {"\\gradusMore", FONT_SANS, 10.5},
    [LINE_EDGE] = {"\\gradusEdge", FONT_MONO, 10.5},
    [LETTERS_END] = {"\\gradusEnd", FONT_SANS, SMALL_SIZE},
    [LETTERS_BADGE] = {"\\gradusBadge", FONT_BOLD, 13},
    [LETTERS_HEADING] = {NULL, FONT_BOLD, 14},
    [LETTERS_CAPTION] = {NULL, FONT_SANS, 12},
    [LETTERS_LEGEND] = {NULL, FONT_SANS, 11},
    [LETTERS_SIGN] = {NULL, FONT_MONO, 11},
};

static const double line_heights[LINE_KINDS] = {
    [LINE_LABEL] = 17.5, [LINE_ID] = 0,    [LINE_DETAIL] = 14.5, [LINE_VALUE] = 14.5,
    [LINE_GRAD] = 14.5,  [LINE_MORE] = 14, [LINE_EDGE] = 14,
};
Font line_font(LineKind k) { return picture_letters[k].font; }
double line_size(LineKind k) { return picture_letters[k].size; }
double line_height(LineKind k) { return line_heights[k]; }

/* ---- breaking ---- */

/* Length in bytes of the next printable character with the marks that belong to it. */
static size_t cluster_length(const char *s, size_t n)
{
    size_t i = 0;
    bool joined = true;
    while (i < n) {
        u32 c;
        int len = utf8_decode(s + i, n - i, &c);
        if (len == 0)
            return i ? i : 1;
        if (!joined && utf8_width(c) != 0)
            break;
        joined = c == 0x200D || (i == 0 && utf8_width(c) == 0);
        i += (size_t)len;
        if (i > 64) /* endless combining marks */
            break;
    }
    return i;
}

/* Bytes of s that make a line of at most max characters, preferably up to a good place to break. */
static size_t line_length(const char *s, int max)
{
    size_t n = strlen(s), i = 0, good = 0;
    int chars = 0, good_chars = 0;
    while (i < n && s[i] != '\n' && chars < max) {
        size_t step = cluster_length(s + i, n - i);
        bool open_ended = step == 1 && strchr(" ,;)]", s[i]) != NULL;
        i += step;
        chars++;
        if (open_ended) {
            good = i;
            good_chars = chars;
        }
    }
    if (i < n && s[i] != '\n' && good_chars > max / 2)
        return good;
    return i;
}

static char *visible(const char *s, size_t n, bool more)
{
    Text t = {0};
    int width = 0;
    while (n > 0 && s[n - 1] == ' ' && more)
        n--;
    for (size_t i = 0; i < n;)
        i += utf8_put_visible(&t, s + i, n - i, &width);
    if (more)
        text_put(&t, "\xE2\x80\xA6");
    return text_take(&t);
}

char *text_elide(const char *s, int max)
{
    size_t n = strlen(s), i = 0;
    int chars = 0;
    while (i < n && s[i] != '\n' && chars < max) {
        i += cluster_length(s + i, n - i);
        chars++;
    }
    if (i == n)
        return visible(s, n, false);
    size_t keep = 0;
    for (int k = 0; k < max - 1 && keep < i; k++)
        keep += cluster_length(s + keep, n - keep);
    return visible(s, keep < i ? keep : i, true);
}

char *text_fit(Font f, double size, const char *s, double width)
{
    int max = (int)fmax(width / (size * 0.3), 8); /* narrower letters are rare */
    for (;;) {
        char *shown = text_elide(s, max);
        double over = text_width(f, size, shown) - width;
        if (over <= 0 || max <= 8)
            return shown;
        free(shown);
        max -= 1 + (int)(over / (size * 1.3)); /* none is wider */
        max = max < 8 ? 8 : max;
    }
}

static void add_line(Block *b, LineKind kind, char *text)
{
    if (b->n == MAX_LINES) {
        free(text);
        return;
    }
    b->at[b->n++] = (Line){text, kind, text_width(line_font(kind), line_size(kind), text)};
}

static void add_wrapped(Block *b, LineKind kind, const char *prefix, const char *s, int max,
                        int lines)
{
    if (!s || !*s)
        return;
    Text all = {0};
    text_printf(&all, "%s%s", prefix, s);
    const char *p = text_str(&all);
    for (int k = 0; *p && k < lines; k++) {
        size_t n = line_length(p, max);
        bool newline = p[n] == '\n';
        const char *next = p + n + (newline ? 1 : 0);
        bool cut = *next && k == lines - 1;
        add_line(b, kind, visible(p, n, cut));
        for (p = next; *p == ' ' && !newline;)
            p++;
    }
    text_free(&all);
}

static void add_id(Block *b, i64 id)
{
    if (id == 0)
        return;
    Text t = {0};
    text_printf(&t, "%%%lld", (long long)id);
    add_line(b, LINE_ID, text_take(&t));
}

/* Lines of LINE_ID share the row of the line before them. */
static void measure(Block *b)
{
    double row = 0;
    b->w = b->h = 0;
    for (int i = 0; i < b->n; i++) {
        const Line *l = &b->at[i];
        row = l->kind == LINE_ID && i > 0 ? row + BESIDE_GAP + l->width : l->width;
        b->w = fmax(b->w, row);
        b->h += l->kind == LINE_ID && i == 0 ? line_height(LINE_DETAIL) : line_height(l->kind);
    }
}

Block block_of_node(const Scene *s, const SceneNode *n)
{
    Block b = {0};
    add_wrapped(&b, LINE_LABEL, "", scene_node_name(n), WRAP_LABEL, MAX_LABEL_LINES);
    add_id(&b, s->no_ids ? 0 : n->id);
    if (n->output) {
        Text t = {0};
        text_printf(&t, "[%d]", n->output - 1);
        add_line(&b, LINE_ID, text_take(&t));
    }
    if (!s->no_types)
        add_wrapped(&b, LINE_DETAIL, "", n->detail, WRAP_DETAIL, MAX_OTHER_LINES);
    add_wrapped(&b, LINE_VALUE, "= ", n->value, WRAP_DETAIL, MAX_OTHER_LINES);
    add_wrapped(&b, LINE_GRAD, "\xE2\x88\x82 ", n->grad, WRAP_DETAIL, MAX_OTHER_LINES);
    add_wrapped(&b, LINE_MORE, "", n->amount, WRAP_DETAIL, MAX_OTHER_LINES);
    if (n->elided > 0) {
        Text t = {0};
        text_printf(&t, "\xE2\x80\xA6 %d more", n->elided);
        add_line(&b, LINE_MORE, text_take(&t));
    }
    measure(&b);
    return b;
}

Block block_of_box(const Scene *s, const SceneBox *b)
{
    Block k = {0};
    const char *title = b->title && *b->title ? b->title : scene_box_words[b->kind];
    add_line(&k, LINE_LABEL, text_elide(title, WRAP_LABEL + 6));
    add_id(&k, s->no_ids ? 0 : b->owner_id);
    if (b->repeat > 1) {
        Text t = {0};
        text_printf(&t, "\xC3\x97%d", b->repeat);
        add_line(&k, LINE_ID, text_take(&t));
    }
    if (b->subtitle && *b->subtitle)
        add_line(&k, LINE_MORE, text_elide(b->subtitle, WRAP_DETAIL + 6));
    measure(&k);
    return k;
}

void block_free(Block *b)
{
    for (int i = 0; i < b->n; i++)
        free(b->at[i].text);
    b->n = 0;
}

/* A block laid out as one row: the tab of an open box. LINE_MORE comes after it. */
double block_row_width(const Block *b, bool more)
{
    double w = 0;
    for (int i = 0; i < b->n; i++)
        if ((b->at[i].kind == LINE_MORE) == more)
            w += (w > 0 ? 7 : 0) + b->at[i].width;
    return w;
}

double tab_width(const SceneBox *b, const Block *text)
{
    return block_row_width(text, false) + 2 * TAB_PAD + (b->mark != MARK_NONE ? 16 : 0);
}

Block block_of_text(LineKind kind, const char *s, int max, int lines)
{
    Block b = {0};
    add_wrapped(&b, kind, "", s, max, lines);
    measure(&b);
    return b;
}
