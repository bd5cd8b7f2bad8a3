/* :discover: rules that are missing. */
#include "discover/discover.h"
#include "repl/commands/commands.h"
#include "repl/terminal/term.h"

enum { LARGEST = 9, MOST_OPERATORS = 16, MOST_FOUND = 200, SHOWN = 12 /* of what is no rule */ };

/* ---- what is asked for ---- */

static bool read_family(Call *c, const Option *o, const char *word, DiscoverHow *how)
{
    const char *names[FAMILIES];
    for (int f = 0; f < FAMILIES; f++) {
        names[f] = families[f].name;
        if (strcmp(families[f].name, word) == 0) {
            how->families |= 1u << f;
            return true;
        }
    }
    return call_unknown(c, o->span, "no kind of variable is called", word, names, FAMILIES,
                        "of=reals, vectors, matrices, integers or truth");
}

static bool read_families(Call *c, DiscoverHow *how)
{
    const Option *o = call_option(c, "of");
    if (!o)
        how->families = 1u << FAMILY_reals;
    for (const char *s = o ? o->value : ""; *s;) {
        size_t n = strcspn(s, ", ");
        if (n && !read_family(c, o, arena_strndup(&c->arena, s, n), how))
            return false;
        s += n + strspn(s + n, ", ");
    }
    return how->families ||
           call_fail(c, o->span, "usage", "of=reals", "of= names what variables stand for");
}

static bool read_operators(Call *c, DiscoverHow *how)
{
    const char **words = arena_alloc(&c->arena, MOST_OPERATORS * sizeof *words), *word;
    Span at = c->rest;
    while (call_word(c, &word, &at)) {
        if (how->noperators == MOST_OPERATORS)
            return call_fail(c, at, "usage", NULL, "more than %d operators take too long",
                             MOST_OPERATORS);
        words[how->noperators++] = word;
    }
    how->operators = words;
    return how->noperators || call_fail(c, c->span, "usage", ":discover exp + *",
                                        ":discover needs operators of which terms are made");
}

static bool read_how(Call *c, DiscoverHow *how)
{
    i64 size, variables, most;
    if (!read_families(c, how) || !read_operators(c, how))
        return false;
    bool several = how->families & (how->families - 1);
    if (!call_number(c, "size", 5, 2, LARGEST, &size) ||
        !call_number(c, "variables", several ? 2 : 3, 1, 3, &variables) ||
        !call_number(c, "most", 50, 1, MOST_FOUND, &most))
        return false;
    how->size = (u32)size;
    how->variables = (u32)variables;
    how->candidates = (u32)most;
    return true;
}

/* ---- what was found ---- */

static void put_found(Call *c, const Found *f, bool shown)
{
    Report *r = &c->report;
    const char *if_so = f->when ? report_format(r, " if %s", f->when) : "";
    if (shown && f->kind == FOUND_RULE)
        text_printf(&c->out, ":rule %s%s\n", f->rule, f->both ? "  pass=saturate" : "");
    else if (shown)
        text_printf(&c->out, "  %s => %s%s\n    %s\n", f->left, f->right, if_so, f->says);
    report_item(r, "{=left}{=right}{=when}{=classes}{=rule}{=pass}{=says}", text_of(f->left),
                text_of(f->right), text_of(f->when),
                f->kind == FOUND_RULE ? text_of(classes_text(c, f->classes)) : absent(),
                f->kind == FOUND_RULE ? text_of(f->rule) : absent(),
                f->kind == FOUND_RULE ? text_of(f->both ? "saturate" : "canonicalize") : absent(),
                f->kind == FOUND_RULE ? absent() : text_of(f->says));
}

static void put_kind(Call *c, const Discovery *d, FoundKind kind)
{
    static const char *const heads[] = {[FOUND_RULE] = "",
                                        [FOUND_UNSAID] =
                                            "equal wherever it was tried, but no rule:\n",
                                        [FOUND_NEARLY] = "nearly true:\n"};
    static const char *const keys[] = {
        [FOUND_RULE] = "rules", [FOUND_UNSAID] = "unsaid", [FOUND_NEARLY] = "nearly"};
    size_t n = 0, shown = kind == FOUND_RULE || call_switch(c, "all") ? d->found.len : SHOWN;
    json_open(&c->data, keys[kind], '[');
    for (size_t i = 0; i < d->found.len; i++)
        if (d->found.at[i].kind == kind) {
            text_put(&c->out, n ? "" : heads[kind]);
            put_found(c, &d->found.at[i], n++ < shown);
        }
    json_end(&c->data, ']');
    if (n > shown)
        text_printf(&c->out, "  .. %zu more: all=on shows them\n", n - shown);
}

static const char *stop_words(DiscoverStop stop)
{
    switch (stop) {
    case DISCOVER_TERMS: return "; there are more terms than are looked at";
    case DISCOVER_CANDIDATES: return "; stopped, as there are as many rules as asked for";
    case DISCOVER_INTERRUPTED: return "; interrupted";
    default: return "";
    }
}

static void put_discovery(Call *c, const Discovery *d)
{
    static const char *const stops[] = {"done", "terms", "most", "interrupted"};
    put_kind(c, d, FOUND_RULE);
    put_kind(c, d, FOUND_UNSAID);
    put_kind(c, d, FOUND_NEARLY);
    report_say(&c->report,
               "{terms term} with {values} different values; of {compared pair} of equal value "
               "{proved} were proved{=stop}{-}\n",
               int_of(d->terms), int_of(d->values), int_of(d->compared), int_of(d->proved),
               text_of(stops[d->stop]), text_of(stop_words(d->stop)));
    if (d->unused)
        text_printf(&c->out, "%s took no operands of these kinds: of= says what variables are\n",
                    d->unused);
    report_field(&c->report, "unused", text_of(d->unused));
}

bool command_discover(Call *c)
{
    DiscoverHow how = {0};
    Discovery d;
    if (!read_how(c, &how))
        return false;
    bool ok = discover(&c->r->s, &how, &d);
    if (ok && d.stop == DISCOVER_INTERRUPTED && term_take_interrupt())
        c->r->interrupted = true; /* what comes behind it does not run, but this is shown */
    if (ok)
        put_discovery(c, &d);
    else
        call_fail(c, c->span, "memory", NULL, "out of memory: could not begin the search");
    discovery_free(&d);
    return ok;
}
