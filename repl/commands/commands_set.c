/* :set: what rewriting may do and in which order, limits, printing.
 *
 * Invariant: a setting that changes what rewriting gives outdates what the session has compiled;
 * what was explored last can still be walked through. */
#include "repl/commands/brief.h"
#include "repl/commands/commands.h"

enum { STEPS, NODES, TRIES, MEMORY, PRINT, DIGITS, WIDTH };

bool setting_number(const Repl *r, size_t k, Setting *s)
{
    const RuleSet *rs = &r->s.rules;
    const Setting all[] = {[STEPS] = {"steps", rs->step_limit, STEP_LIMIT, 4e9},
                           [NODES] = {"nodes", rs->node_limit, NODE_LIMIT, 4e9},
                           [TRIES] = {"tries", (double)rs->try_limit, TRY_LIMIT, 1e15},
                           [MEMORY] = {"memory", (double)r->s.st.heap.limit, 0, 1e18},
                           [PRINT] = {"print", (double)r->threshold, PRINT_WHOLE, 1e15},
                           [DIGITS] = {"digits", r->digits, 0, MOST_DIGITS},
                           [WIDTH] = {"width", r->width, r->width, MOST_WIDTH}};
    if (k < COUNT_OF(all))
        *s = all[k];
    return k < COUNT_OF(all);
}

static void put_setting(Report *r, Rows *rows, const char *name, Datum value)
{
    report_field(r, name, value);
    rows_add(rows, text_of(name), value);
}

static void put_passes(Report *r, Rows *rows, const RuleSet *rs)
{
    Text order = {0};
    json_open(r->data, "passes", '[');
    for (size_t i = 0; i < rs->pipeline.len; i++) {
        text_printf(&order, "%s%s", i ? " " : "", rs->pipeline.at[i].name);
        json_string(r->data, rs->pipeline.at[i].name);
    }
    json_end(r->data, ']');
    rows_add(rows, text_of("passes"), text_of(report_take(r, &order)));
}

static void show_settings(Call *c)
{
    static const char *const colors[] = {"auto", "always", "never"};
    static const Column columns[] = {{"", NULL}, {"", NULL}};
    Report *r = &c->report;
    RuleSet *rs = &c->r->s.rules;
    Rows rows = rows_begin(r, columns, COUNT_OF(columns));
    Setting number;
    put_setting(r, &rows, "allow", text_of(classes_text(c, rs->allowed)));
    for (size_t k = 0; setting_number(c->r, k, &number); k++)
        put_setting(r, &rows, number.name, real_of(number.value));
    rows_add(&rows, text_of("color"), text_of(colors[c->r->color_mode]));
    rows_add(&rows, text_of("images"), text_of(image_words[c->r->images]));
    rows_add(&rows, text_of("native"), text_of(native_mode_name(c->r->s.native.mode)));
    put_passes(r, &rows, rs);
    rows_put(&rows, NULL);
    for (size_t i = 0; i < rs->all.len; i++)
        if (rs->all.at[i]->off)
            text_printf(r->text, "rule %s off\n", rs->all.at[i]->name);
    for (size_t i = 0; i < rs->pipeline.len; i++)
        if (rs->pipeline.at[i].off)
            text_printf(r->text, "pass %s off\n", rs->pipeline.at[i].name);
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
    return true;
}

static bool on_or_off(Call *c, bool *off)
{
    const char *word;
    Span span = c->span;
    if (!call_word(c, &word, &span))
        return call_fail(c, span, "usage", NULL, "on or off?");
    bool is_off = strcmp(word, "off") == 0;
    if (!is_off && strcmp(word, "on") != 0)
        return call_fail(c, span, "usage", NULL, "this is on or off, not %s", word);
    *off = is_off;
    return true;
}

/* The name of what is switched. */
static bool switched(Call *c, const char *what, const char **name, Span *span)
{
    return call_word(c, name, span) ||
           call_fail(c, c->span, "usage", report_format(&c->report, ":set %s NAME off", what),
                     "which %s?", what);
}

static bool set_rule(Call *c)
{
    const char *name;
    Span span;
    Rule *rule = switched(c, "rule", &name, &span) ? call_rule(c, name, span) : NULL;
    return rule && on_or_off(c, &rule->off);
}

static bool set_pass(Call *c)
{
    const char *name;
    Span span;
    bool off, known = false;
    RuleSet *rs = &c->r->s.rules;
    if (!switched(c, "pass", &name, &span))
        return false;
    for (size_t i = 0; i < rs->pipeline.len; i++)
        known = known || strcmp(rs->pipeline.at[i].name, name) == 0;
    if (!known)
        return call_unknown_pass(c, name, span);
    if (!on_or_off(c, &off))
        return false;
    for (size_t i = 0; i < rs->pipeline.len; i++)
        if (strcmp(rs->pipeline.at[i].name, name) == 0)
            rs->pipeline.at[i].off = off;
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

static bool set_native(Call *c)
{
    const char *word;
    Span span = c->span;
    NativeMode mode;
    if (!call_word(c, &word, &span) || !native_mode_parse(word, &mode))
        return call_fail(c, span, "usage", NULL, "native is auto, on or off");
    native_set(&c->r->s.native, mode);
    return true;
}

static bool set_images(Call *c)
{
    const char *word = "";
    Span span = c->span;
    call_word(c, &word, &span);
    for (int i = 0; i < IMAGE_MODES; i++)
        if (strcmp(word, image_words[i]) == 0) {
            c->r->images = (ImageMode)i;
            return true;
        }
    return call_fail(c, span, "usage", NULL, "images is auto, kitty, iterm, sixel or off");
}

static bool set_number(Call *c, size_t k, double most)
{
    RuleSet *rs = &c->r->s.rules;
    const char *word;
    Span span = c->span;
    char *end = NULL;
    if (!call_word(c, &word, &span))
        return call_fail(c, span, "usage", NULL, "which value?");
    double x = strtod(word, &end);
    if (end == word || *end || !(x >= 0 && x <= most))
        return call_fail(c, span, "usage", NULL, "this takes a number from 0 to %.10g", most);
    switch (k) {
    case STEPS: rs->step_limit = (u32)x; break;
    case NODES: rs->node_limit = (u32)x; break;
    case TRIES: rs->try_limit = (u64)x; break;
    case MEMORY: c->r->s.st.heap.limit = (size_t)x; break;
    case PRINT: c->r->threshold = (i64)x; break;
    case DIGITS: c->r->digits = (int)x; break;
    case WIDTH: c->r->width = (int)x; break;
    }
    if (k <= TRIES)
        session_outdate(&c->r->s);
    return true;
}

static const struct {
    const char *name;
    bool (*set)(Call *c);
    bool rewrites; /* what is compiled depends on it */
} words[] = {{"allow", set_allow, true},   {"rule", set_rule, true},
             {"pass", set_pass, true},     {"passes", set_passes, true},
             {"color", set_color, false},  {"images", set_images, false},
             {"native", set_native, false}};

static bool set_named(Call *c, const char *name, Span span)
{
    const char *names[16];
    size_t n = 0;
    Setting s;
    for (size_t k = 0; k < COUNT_OF(words); k++) {
        names[n++] = words[k].name;
        if (strcmp(name, words[k].name) != 0)
            continue;
        if (!words[k].set(c))
            return false;
        if (words[k].rewrites)
            session_outdate(&c->r->s);
        return true;
    }
    for (size_t k = 0; setting_number(c->r, k, &s); k++) {
        names[n++] = s.name;
        if (strcmp(name, s.name) == 0)
            return set_number(c, k, s.most);
    }
    return call_unknown(c, span, "there is no setting", name, names, n, ":help set lists them");
}

bool command_set(Call *c)
{
    const char *name, *more;
    Span span;
    if (!call_word(c, &name, &span)) {
        show_settings(c);
        return true;
    }
    return set_named(c, name, span) && (!call_word(c, &more, &span) ||
                                        call_fail(c, span, "usage", NULL, "this is one too many"));
}
