/* :set: what rewriting may do and in which order, limits, printing.
 *
 * Invariant: a setting that changes what rewriting gives outdates what the session has compiled;
 * what was explored last can still be walked through. */
#include "repl/commands/brief.h"
#include "repl/commands/commands.h"

static void show_settings(Call *c)
{
    Repl *r = c->r;
    RuleSet *rs = &r->s.rules;
    static const char *const colors[] = {"auto", "always", "never"};
    Text allowed = {0};
    Table t = {.columns = 2};
    hazard_print(&allowed, rs->allowed);
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"steps", rs->step_limit},
                   {"nodes", rs->node_limit},
                   {"tries", (double)rs->try_limit},
                   {"memory", (double)r->s.st.heap.limit},
                   {"print", (double)r->threshold},
                   {"digits", r->digits},
                   {"width", r->width}};
    table_cell(&t, "allow");
    table_cell(&t, "%s", text_str(&allowed));
    json_key(&c->data, "allow");
    json_string(&c->data, text_str(&allowed));
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        table_cell(&t, "%s", numbers[i].name);
        table_cell(&t, "%.10g", numbers[i].value);
        json_key(&c->data, numbers[i].name);
        json_double(&c->data, numbers[i].value);
    }
    table_cell(&t, "color");
    table_cell(&t, "%s", colors[r->color_mode]);
    table_print(&t, &c->out, 0);
    text_put(&c->out, "passes ");
    json_key(&c->data, "passes");
    json_begin(&c->data, '[');
    for (size_t i = 0; i < rs->pipeline.len; i++) {
        text_printf(&c->out, " %s", rs->pipeline.at[i].name);
        json_string(&c->data, rs->pipeline.at[i].name);
    }
    json_end(&c->data, ']');
    text_putc(&c->out, '\n');
    for (size_t i = 0; i < rs->all.len; i++)
        if (rs->all.at[i]->off)
            text_printf(&c->out, "rule %s off\n", rs->all.at[i]->name);
    for (size_t i = 0; i < rs->pipeline.len; i++)
        if (rs->pipeline.at[i].off)
            text_printf(&c->out, "pass %s off\n", rs->pipeline.at[i].name);
    text_free(&allowed);
}

static bool set_allow(Call *c)
{
    const char *word;
    Span span;
    u32 classes = HAZARD_DEFAULT;
    bool any = false;
    for (; call_word(c, &word, &span); any = true) {
        u32 bits = strcmp(word, "default") == 0 ? HAZARD_DEFAULT : hazard_parse(word, strlen(word));
        if (!bits)
            return call_fail(c, span, "unknown-name", "the classes are E Z R N+ N- D S C",
                             "there is no class %s of rules", word);
        classes |= bits;
    }
    if (!any)
        return call_fail(c, c->span, "usage", ":set allow Z", "which classes?");
    c->r->s.rules.allowed = classes;
    session_outdate(&c->r->s);
    return true;
}

static bool on_or_off(Call *c, bool *off)
{
    const char *word;
    Span span = c->span;
    if (!call_word(c, &word, &span))
        return call_fail(c, span, "usage", NULL, "on or off?");
    *off = strcmp(word, "off") == 0;
    return *off || strcmp(word, "on") == 0 ||
           call_fail(c, span, "usage", NULL, "this is on or off, not %s", word);
}

static bool set_rule(Call *c)
{
    const char *name;
    Span span;
    bool off;
    if (!call_word(c, &name, &span))
        return call_fail(c, c->span, "usage", ":set rule NAME off", "which rule?");
    Rule *rule = call_rule(c, name, span);
    if (!rule)
        return false;
    if (!on_or_off(c, &off))
        return false;
    rule->off = off;
    session_outdate(&c->r->s);
    return true;
}

static bool set_pass(Call *c)
{
    const char *name;
    Span span;
    bool off, known = false;
    RuleSet *rs = &c->r->s.rules;
    if (!call_word(c, &name, &span))
        return call_fail(c, c->span, "usage", ":set pass NAME off", "which pass?");
    for (size_t i = 0; i < rs->pipeline.len; i++)
        known = known || strcmp(rs->pipeline.at[i].name, name) == 0;
    if (!known)
        return call_unknown_pass(c, name, span);
    if (!on_or_off(c, &off))
        return false;
    for (size_t i = 0; i < rs->pipeline.len; i++)
        if (strcmp(rs->pipeline.at[i].name, name) == 0)
            rs->pipeline.at[i].off = off;
    session_outdate(&c->r->s);
    return true;
}

/* The passes in this order, these and no others; one may come twice. */
static bool set_passes(Call *c)
{
    enum { MOST = 64 };
    RuleSet *rs = &c->r->s.rules;
    const Pass *order[MOST];
    size_t n = 0;
    const char *name;
    Span span;
    while (call_word(c, &name, &span)) {
        const Pass *p = pass_named(name);
        bool all = !p && n == 0 && strcmp(name, "default") == 0;
        if (all)
            n = passes_usual(order);
        if (!p && !all)
            return call_unknown_pass(c, name, span);
        if (p && n == MOST)
            return call_fail(c, span, "usage", NULL, "at most %d passes", MOST);
        if (p)
            order[n++] = p;
    }
    if (!n)
        return call_fail(c, c->span, "usage", ":set passes inline canonicalize lower",
                         "which passes, in which order?");
    rs->pipeline.len = 0;
    for (size_t i = 0; i < n; i++)
        vec_push(&rs->pipeline, *order[i]);
    session_outdate(&c->r->s);
    return true;
}

static bool set_number(Call *c, double low, double high, double *out)
{
    const char *word;
    Span span = c->span;
    char *end = NULL;
    if (!call_word(c, &word, &span))
        return call_fail(c, span, "usage", NULL, "which value?");
    *out = strtod(word, &end);
    if (end == word || *end || !(*out >= low && *out <= high))
        return call_fail(c, span, "usage", NULL, "this takes a number from %.10g to %.10g", low,
                         high);
    return true;
}

static bool set_color(Call *c)
{
    const char *word;
    Span span = c->span;
    ColorMode mode;
    if (!call_word(c, &word, &span) || !term_color_mode(word, &mode))
        return call_fail(c, span, "usage", NULL, "color is auto, always or never");
    repl_set_color(c->r, mode);
    return true;
}

/* What bounds rewriting: what was compiled may come out otherwise now. */
static bool set_limit(Call *c, const char *name, bool *known)
{
    RuleSet *rs = &c->r->s.rules;
    bool steps = strcmp(name, "steps") == 0, nodes = strcmp(name, "nodes") == 0;
    double x = 0;
    *known = steps || nodes || strcmp(name, "tries") == 0;
    if (!*known || !set_number(c, 0, steps || nodes ? 4e9 : 1e15, &x))
        return false;
    if (steps)
        rs->step_limit = (u32)x;
    else if (nodes)
        rs->node_limit = (u32)x;
    else
        rs->try_limit = (u64)x;
    session_outdate(&c->r->s);
    return true;
}

/* How much of what is shown, and the memory for it. */
static bool set_print(Call *c, const char *name, bool *known)
{
    Repl *r = c->r;
    double x = 0;
    bool ok = false;
    *known = true;
    if (strcmp(name, "print") == 0) {
        if ((ok = set_number(c, 0, 1e15, &x)))
            r->threshold = (i64)x;
    } else if (strcmp(name, "digits") == 0) {
        if ((ok = set_number(c, 0, MOST_DIGITS, &x)))
            r->digits = (int)x;
    } else if (strcmp(name, "width") == 0) {
        if ((ok = set_number(c, 0, MOST_WIDTH, &x)))
            r->width = (int)x;
    } else if (strcmp(name, "memory") == 0) {
        if ((ok = set_number(c, 0, 1e18, &x)))
            r->s.st.heap.limit = (size_t)x;
    } else {
        *known = false;
    }
    return ok;
}

bool command_set(Call *c)
{
    static const char *const names[] = {"allow", "rule",  "pass",   "passes", "steps",  "nodes",
                                        "print", "tries", "memory", "color",  "digits", "width"};
    const char *name, *more;
    Span span;
    if (!call_word(c, &name, &span)) {
        show_settings(c);
        return true;
    }
    bool known = true, ok;
    if (strcmp(name, "allow") == 0)
        ok = set_allow(c);
    else if (strcmp(name, "rule") == 0)
        ok = set_rule(c);
    else if (strcmp(name, "pass") == 0)
        ok = set_pass(c);
    else if (strcmp(name, "passes") == 0)
        ok = set_passes(c);
    else if (strcmp(name, "color") == 0)
        ok = set_color(c);
    else
        ok = set_print(c, name, &known) || (!known && set_limit(c, name, &known));
    if (!known) {
        const char *close = closest_name(name, names, COUNT_OF(names));
        Text hint = {0};
        text_printf(&hint, close ? "did you mean %s?" : ":help set lists them", close);
        call_fail(c, span, "unknown-name", text_str(&hint), "there is no setting %s", name);
        text_free(&hint);
        return false;
    }
    if (ok && call_word(c, &more, &span))
        return call_fail(c, span, "usage", NULL, "this is one too many");
    return ok;
}
