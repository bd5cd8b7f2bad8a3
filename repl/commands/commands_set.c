/* :set: what rewriting may do and in which order, limits, printing.
 *
 * Invariant: a setting that changes what rewriting gives outdates what the session has compiled;
 * what was explored last can still be walked through. */
#include "base/threads.h"
#include "tensor/brief.h"
#include "repl/commands/commands.h"

enum { STEPS, NODES, TRIES, MEMORY, PRINT, DIGITS, WIDTH };

bool setting_number(const Repl *r, size_t k, Setting *s)
{
    const Options *o = &r->s.options;
    const Setting all[] = {[STEPS] = {"steps", o->step_limit, STEP_LIMIT, 4e9},
                           [NODES] = {"nodes", o->node_limit, NODE_LIMIT, 4e9},
                           [TRIES] = {"tries", (double)o->try_limit, TRY_LIMIT, 1e15},
                           [MEMORY] = {"memory", (double)r->s.st.heap.limit, 0, 1e18},
                           [PRINT] = {"print", (double)r->threshold, PRINT_WHOLE, 1e15},
                           [DIGITS] = {"digits", r->digits, 0, MOST_DIGITS},
                           [WIDTH] = {"width", r->width, r->width, MOST_WIDTH}};
    if (k < COUNT_OF(all))
        *s = all[k];
    return k < COUNT_OF(all);
}

/* ---- settings that are words ---- */

static const char *const color_words[] = {"auto", "always", "never"};

static void put_color(const Repl *r, Text *out) { text_put(out, color_words[r->color_mode]); }

static bool set_color(Repl *r, const char *word)
{
    ColorMode mode;
    bool known = term_color_mode(word, &mode);
    if (known)
        repl_set_color(r, mode);
    return known;
}

static void put_images(const Repl *r, Text *out) { text_put(out, image_words[r->images]); }

static bool set_images(Repl *r, const char *word)
{
    int i = 0;
    while (i < IMAGE_MODES && strcmp(word, image_words[i]) != 0)
        i++;
    r->images = i < IMAGE_MODES ? (ImageMode)i : r->images;
    return i < IMAGE_MODES;
}

static void put_native(const Repl *r, Text *out)
{
    text_put(out, native_mode_name(r->s.native.mode));
}

static bool set_native(Repl *r, const char *word)
{
    NativeMode mode;
    bool known = native_mode_parse(word, &mode);
    if (known)
        native_set(&r->s.native, mode);
    return known;
}

static void put_threads(const Repl *r, Text *out) { threads_print(out, r->s.threads); }
static bool set_threads(Repl *r, const char *word) { return threads_parse(word, &r->s.threads); }

const WordSetting word_settings[WORD_SETTINGS] = {
    {"color", "color is auto, always or never", put_color, set_color, false},
    {"images", "images is auto, kitty, iterm, sixel or off", put_images, set_images, false},
    {"native", "native is auto, on or off", put_native, set_native, true},
    {"threads", "threads is auto or a number from 1 to 64", put_threads, set_threads, true}};
_Static_assert(THREADS_MOST == 64, "what the usage says");

/* ---- showing ---- */

/* All settings, or the one that is asked for. */
typedef struct {
    Call *c;
    Rows rows;
    const char *only;
} Settings;

static bool wants(const Settings *s, const char *name)
{
    return !s->only || !strcmp(s->only, name);
}

static void put_setting(Settings *s, const char *name, Datum value, bool data)
{
    if (!wants(s, name))
        return;
    if (data || s->only)
        report_field(&s->c->report, name, value);
    rows_add(&s->rows, text_of(name), value);
}

static void put_passes(Settings *s, const Pipeline *p)
{
    Report *r = &s->c->report;
    Text order = {0};
    if (!wants(s, "passes"))
        return;
    json_open(r->data, "passes", '[');
    for (u32 i = 0; i < p->len; i++) {
        text_printf(&order, "%s%s", i ? " " : "", p->at[i].pass->name);
        json_string(r->data, p->at[i].pass->name);
    }
    json_end(r->data, ']');
    rows_add(&s->rows, text_of("passes"), text_built(r, &order));
}

static Datum number_datum(size_t k, double x)
{
    if (k == DIGITS && (x == 0 || x == MOST_DIGITS))
        return as(x > 0 ? "all" : "default", real_of(x));
    return real_of(x);
}

static bool show_settings(Call *c, const char *only)
{
    static const Column columns[] = {{"", NULL}, {"", NULL}};
    Report *r = &c->report;
    const RuleSet *rs = c->r->s.rules;
    const Options *o = &c->r->s.options;
    Settings s = {c, rows_begin(r, columns, COUNT_OF(columns)), only};
    Setting number;
    put_setting(&s, "allow", text_of(classes_text(c, o->allowed)), true);
    for (size_t k = 0; setting_number(c->r, k, &number); k++)
        put_setting(&s, number.name, number_datum(k, number.value), true);
    for (const WordSetting *w = word_settings; w < word_settings + WORD_SETTINGS; w++) {
        Text word = {0};
        w->put(c->r, &word);
        put_setting(&s, w->name, text_built(r, &word), w->data);
    }
    put_passes(&s, &o->pipeline);
    rows_put(&s.rows, NULL);
    for (size_t i = 0; i < rs->all.len && !only; i++)
        if (rule_is_off(o, rs->all.at[i]))
            text_printf(r->text, "rule %s off\n", rs->all.at[i]->name);
    for (u32 i = 0; i < o->pipeline.len && !only; i++)
        if (o->pipeline.at[i].off)
            text_printf(r->text, "pass %s off\n", o->pipeline.at[i].pass->name);
    return true;
}

/* ---- setting ---- */

static bool set_allow(Call *c)
{
    const char *word;
    Span span;
    u32 classes = HAZARD_DEFAULT;
    while (call_word(c, &word, &span)) {
        u32 bits = strcmp(word, "default") == 0 ? HAZARD_DEFAULT : hazard_parse(word, strlen(word));
        if (!bits)
            return call_fail(c, span, "unknown-name", "the classes are E Z R N+ N- D S C O",
                             "there is no class %s of rules", word);
        classes |= bits;
    }
    c->r->s.options.allowed = classes;
    return true;
}

/* Without a word it is shown. */
static bool on_or_off(Call *c, const char *name, bool *off)
{
    const char *word;
    Span span = c->span;
    if (!call_word(c, &word, &span)) {
        report_say(&c->report, "{-}  {-}\n", text_of(name), text_of(*off ? "off" : "on"));
        return true;
    }
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
                     ":set %s needs a name", what);
}

static bool set_rule(Call *c)
{
    const char *name;
    Span span;
    bool off = false;
    const Rule *rule = switched(c, "rule", &name, &span) ? call_rule(c, name, span) : NULL;
    if (rule)
        off = rule_is_off(&c->r->s.options, rule);
    if (!rule || !on_or_off(c, name, &off))
        return false;
    rule_switch(&c->r->s.options, rule, off);
    return true;
}

static bool set_pass(Call *c)
{
    const char *name;
    Span span;
    Pipeline *p = &c->r->s.options.pipeline;
    if (!switched(c, "pass", &name, &span))
        return false;
    const PassUse *use = pipeline_find(p, name);
    if (!use)
        return call_unknown_pass(c, name, span);
    bool off = use->off;
    return on_or_off(c, name, &off) && pipeline_switch(p, name, off);
}

/* The passes in this order, these and no others; one may come twice. */
static bool set_passes(Call *c)
{
    Pipeline order = {0};
    const char *name;
    Span span;
    while (call_word(c, &name, &span)) {
        const Pass *p = pass_named(name);
        bool all = !p && !order.len && strcmp(name, "default") == 0;
        if (all)
            order = options_usual().pipeline;
        if (!p && !all)
            return call_unknown_pass(c, name, span);
        if (p && order.len == PIPELINE_MOST)
            return call_fail(c, span, "usage", NULL, "at most %d passes", PIPELINE_MOST);
        if (p)
            pipeline_add(&order, p);
    }
    c->r->s.options.pipeline = order;
    return true;
}

void setting_put(Repl *r, size_t k, double x)
{
    Options *o = &r->s.options;
    switch (k) {
    case STEPS: o->step_limit = (u32)x; break;
    case NODES: o->node_limit = (u32)x; break;
    case TRIES: o->try_limit = (u64)x; break;
    case MEMORY: r->s.st.heap.limit = (size_t)x; break;
    case PRINT: r->threshold = (i64)x; break;
    case DIGITS: r->digits = (int)x; break;
    case WIDTH: r->width = (int)x; break;
    }
}

_Static_assert(MOST_DIGITS == 17, "what `all` stands for");

/* `word`, with the words that `digits` also takes as numbers. */
static const char *digits_word(size_t k, const char *word)
{
    if (k == DIGITS && !strcmp(word, "default"))
        return "0";
    return k == DIGITS && !strcmp(word, "all") ? "17" : word;
}

static bool set_number(Call *c, size_t k, double most)
{
    const char *word = "";
    Span span = c->span;
    char *end = NULL;
    call_word(c, &word, &span);
    double x = strtod(digits_word(k, word), &end);
    if (!*word || *end || !(x >= 0 && x <= most))
        return call_fail(c, span, "usage", NULL, "this takes a number from 0 to %.10g", most);
    setting_put(c->r, k, x);
    if (k <= TRIES)
        session_outdate(&c->r->s);
    return true;
}

static const struct {
    const char *name;
    bool (*set)(Call *c);
    bool rewrites; /* what is compiled depends on it */
    bool named;    /* of the thing that follows */
} words[] = {{"allow", set_allow, true, false},
             {"rule", set_rule, true, true},
             {"pass", set_pass, true, true},
             {"passes", set_passes, true, false}};

static bool set_word(Call *c, const WordSetting *w)
{
    const char *word = "";
    Span span = c->span;
    call_word(c, &word, &span);
    return w->set(c->r, word) || call_fail(c, span, "usage", NULL, "%s", w->usage);
}

static bool set_named(Call *c, const char *name, Span span)
{
    const char *names[16];
    size_t n = 0;
    Setting s;
    for (size_t k = 0; k < COUNT_OF(words); k++) {
        names[n++] = words[k].name;
        if (strcmp(name, words[k].name) != 0)
            continue;
        if (!call_has_expr(c) && !words[k].named)
            return show_settings(c, name);
        if (!words[k].set(c))
            return false;
        if (words[k].rewrites)
            session_outdate(&c->r->s);
        return true;
    }
    bool set = call_has_expr(c);
    for (const WordSetting *w = word_settings; w < word_settings + WORD_SETTINGS; w++) {
        names[n++] = w->name;
        if (strcmp(name, w->name) == 0)
            return set ? set_word(c, w) : show_settings(c, name);
    }
    for (size_t k = 0; setting_number(c->r, k, &s); k++) {
        names[n++] = s.name;
        if (strcmp(name, s.name) == 0)
            return set ? set_number(c, k, s.most) : show_settings(c, name);
    }
    return call_unknown(c, span, "there is no setting", name, names, n, ":help set lists them");
}

bool command_set(Call *c)
{
    const char *name, *more;
    Span span;
    if (!call_word(c, &name, &span))
        return show_settings(c, NULL);
    return set_named(c, name, span) && (!call_word(c, &more, &span) ||
                                        call_fail(c, span, "usage", NULL, "this is one too many"));
}
