/* Writing the lines of a change, the long ones broken.  See step_change.h. */
#include "analysis/step_change.h"

static void put_sign(Text *out, char sign, Marks marks)
{
    if (marks == MARKS_COLOR)
        text_printf(out, "\033[1;3%cm%c\033[0m ", sign == '-' ? '1' : '2', sign);
    else
        text_printf(out, "%c ", sign);
}

static void put_line(Text *out, const ChangeLine *l, int indent, int width, Marks marks)
{
    enum { LEAST_ROOM = 20, HANGING = 4 };
    const char *const open[] = {"", "«", l->sign == '-' ? "\033[1;31m" : "\033[1;32m"},
                      *const close[] = {"", "»", "\033[0m"};
    int own = l->sign == '-' || l->sign == '+' ? 2 : 0, more = 0;
    StyledPart p = {0};
    do {
        int room = width - indent - own - more - (marks == MARKS_SIGNS ? 2 : 0);
        size_t end = p.at + pretty_fitting(l->text + p.at, room > LEAST_ROOM ? room : LEAST_ROOM);
        text_printf(out, "%*s", indent + (more ? own : 0) + more, "");
        if (own && !more)
            put_sign(out, l->sign, marks);
        while (styled_next(&p, l->text, end, &l->marks))
            if (p.edge)
                text_put(out, p.edge->opens ? open[marks] : close[marks]);
            else
                text_putn(out, p.text, p.len);
        text_putc(out, '\n');
        p.at += l->text[p.at] == ' ';
        more = HANGING;
    } while (l->text[p.at]);
}

void change_put(Text *out, ChangeLines *lines, int indent, int width, Marks marks)
{
    change_mark(lines);
    change_put_marked(out, lines, indent, width, marks);
}

void change_put_marked(Text *out, const ChangeLines *lines, int indent, int width, Marks marks)
{
    for (size_t i = 0; i < lines->of.len; i++)
        put_line(out, &lines->of.at[i], indent, width, marks);
}
