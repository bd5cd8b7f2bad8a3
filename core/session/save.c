/* The session as statements that build it again.  See save.h. */
#include "session/save.h"

#include "rewrite/rule_example.h"
#include "session/definitions.h"

typedef MAP(Symbol, const Definition *) SymbolMeanings;

/* A value as it is read back where these names are taken: what their old meaning gave is written
 * without them. The declared type makes of plain numbers what a cast would. */
static void put_value(Session *s, Text *out, const Tensor *t, const SymbolMeanings *taken)
{
    static const struct {
        const char *word, *instead;
    } forms[] = {{"inf", "1/0"}, {"nan", "0/0"}, {"f32", ""}, {"i32", ""}};
    Text literal = {.interrupt = s->st.interrupt};
    tensor_literal(&literal, t);
    for (const char *at = text_str(&literal); *at && t->count;) {
        size_t n = strcspn(at, "finr"); /* where a word may begin */
        text_putn(out, at, n);
        at += n;
        size_t k = 0;
        while (k < COUNT_OF(forms) && strncmp(at, forms[k].word, 3) != 0)
            k++;
        if (k < COUNT_OF(forms) && map_has(taken, symbol(&s->st, forms[k].word))) {
            text_put(out, forms[k].instead);
            at += 3;
        } else if (*at) {
            n = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
            text_putn(out, at, n);
            at += n;
        }
    }
    if (!t->count)
        text_put(out, text_str(&literal));
    text_free(&literal);
}

const Tensor *session_value_held(Session *s, const Leaf *leaf)
{
    return !leaf          ? NULL
           : leaf->shared ? map_get(&s->contexts.at[0]->values, leaf->node)
                          : leaf->value;
}

/* p.0 is written p[0]. */
static void put_path(Text *out, const char *path)
{
    for (const char *dot; *path; path = dot) {
        dot = path + 1 + strcspn(path + 1, ".");
        bool item = *path == '.' && path[1] >= '0' && path[1] <= '9';
        text_put(out, item ? "[" : "");
        text_putn(out, path + item, (size_t)(dot - path) - item);
        text_put(out, item ? "]" : "");
    }
}

static void put_contexts(Session *s, Text *out, const Leaf *leaf, const SymbolMeanings *taken)
{
    for (size_t k = 1; k < s->contexts.len; k++) {
        const Tensor *own = map_get(&s->contexts.at[k]->values, leaf->node);
        if (!own)
            continue;
        text_printf(out, "in %s { ", s->contexts.at[k]->name);
        put_path(out, leaf->name);
        text_put(out, " := ");
        put_value(s, out, own, taken);
        text_put(out, " }\n");
    }
}

/* A declaration with the value that it has now, and those of other contexts at once: later the name
 * may mean something else. */
static void put_leaf(Session *s, Text *out, const Definition *d, const SymbolMeanings *taken)
{
    bool all = true;
    size_t from = 0;
    for (int i = 0; i < d->nleaves; i++)
        all = all && session_value_held(s, session_leaf(s, d->leaves[i]));
    text_printf(out, all ? "%s = " : "%s", d->text);
    for (int i = 0; i < d->nleaves && all; from = d->gaps[i++]) {
        text_putn(out, d->form + from, d->gaps[i] - from);
        put_value(s, out, session_value_held(s, session_leaf(s, d->leaves[i])), taken);
    }
    text_printf(out, "%s\n", all ? d->form + from : "");
    for (int i = 0; i < d->nleaves; i++) {
        const Leaf *leaf = session_leaf(s, d->leaves[i]);
        const Tensor *some = all ? NULL : session_value_held(s, leaf);
        if (some) { /* of a tuple, only this part has one */
            put_path(out, leaf->name);
            text_put(out, " := ");
            put_value(s, out, some, taken);
            text_putc(out, '\n');
        }
        put_contexts(s, out, leaf, taken);
    }
}

size_t session_print(Session *s, Text *out)
{
    size_t n = 0;
    for (size_t k = 1; k < s->contexts.len; k++)
        text_printf(out, "in %s { }\n", s->contexts.at[k]->name);
    SymbolMeanings last = {0}; /* name -> what it means so far */
    DefinitionSet counting = {0};
    definitions_counting(s, &counting);
    for (const Definition *d = s->first_definition; d; d = d->after) {
        if (!map_has(&counting, d))
            continue;
        const Definition *was = d->leaf ? map_get(&last, d->names[0]) : NULL;
        for (int i = 0; i < d->nnames; i++)
            map_put(&last, d->names[i], d);
        if (was && was->leaf == d->leaf && !strcmp(was->form, d->form))
            continue; /* what came in between is gone: declared as it is */
        n++;
        if (d->leaf)
            put_leaf(s, out, d, &last);
        else
            text_printf(out, "%s\n", d->text);
    }
    map_free(&last);
    map_free(&counting);
    return n;
}

/* ---- rules ---- */

/* Those of a rule that is read both ways speak of a pair, which these lines are no longer. */
static void put_examples(const Rule *k, Text *out)
{
    for (const RuleExample *e = k->back ? NULL : rule_examples(k); e; e = e->next)
        text_printf(out, "    %s %.*s\n", e->fires ? "try" : "not",
                    (int)(e->text.end - e->text.start), e->text.src->text + e->text.start);
}

size_t rules_save(const RuleSet *rs, Text *out)
{
    const char *pass = "canonicalize"; /* where a file begins */
    size_t count = 0;
    for (size_t i = 0; i < rs->all.len; i++) {
        const Rule *k = rs->all.at[i];
        if (!k->own)
            continue;
        if (strcmp(pass, k->pass) != 0)
            text_printf(out, "pass %s\n", k->pass);
        pass = k->pass;
        rule_print(out, k);
        text_put(out, k->untried ? " trial=off" : "");
        text_putc(out, '\n');
        put_examples(k, out);
        count++;
    }
    return count;
}

void options_save(const RuleSet *rs, const Options *o, Text *out)
{
    const Pipeline *p = &o->pipeline, usual = options_usual().pipeline;
    bool moved = p->len != usual.len;
    for (u32 i = 0; i < p->len && !moved; i++)
        moved = p->at[i].pass != usual.at[i].pass;
    text_put(out, moved ? ":set passes" : "");
    for (u32 i = 0; i < p->len && moved; i++)
        text_printf(out, " %s", p->at[i].pass->name);
    text_put(out, moved ? "\n" : "");
    for (u32 i = 0; i < p->len; i++)
        if (p->at[i].off)
            text_printf(out, ":set pass %s off\n", p->at[i].pass->name);
    for (size_t i = 0; i < rs->all.len; i++)
        if (rule_is_off(o, rs->all.at[i]))
            text_printf(out, ":set rule %s off\n", rs->all.at[i]->name);
    if (o->allowed == HAZARD_DEFAULT)
        return;
    text_put(out, ":set allow ");
    hazard_print(out, o->allowed & ~(u32)HAZARD_DEFAULT);
    text_putc(out, '\n');
}
