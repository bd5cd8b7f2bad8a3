/* Commands on the session: files, contexts, memory, leaving. */
#include "repl/commands/commands.h"
#include "repl/commands/show.h"
#include "session/definitions.h"
#include "session/keep.h"

/* ---- :load, :reload ---- */

bool command_load(Call *c) { return repl_run_file(c->r, c->file, c->file_span); }

bool command_reload(Call *c)
{
    Repl *r = c->r;
    if (r->depth)
        return call_fail(c, c->span, "usage", NULL, ":reload is for the prompt, not for files");
    if (!r->files.len)
        return call_fail(c, c->span, "usage", ":load FILE", "no file was loaded yet");
    bool ok = true;
    for (size_t i = 0, n = r->files.len; i < n && ok; i++)
        ok = repl_run_file(r, r->files.at[i], c->span);
    return ok;
}

/* ---- :save ---- */

/* A value as it is read back where these names are taken: what their old meaning gave is written
 * without them. The declared type makes of plain numbers what a cast would. */
static void put_value(Session *s, Text *out, const Tensor *t, const PtrMap *taken)
{
    static const struct {
        const char *word, *instead;
    } forms[] = {{"inf", "1/0"}, {"nan", "0/0"}, {"f32", ""}, {"i32", ""}};
    Text literal = {0};
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

/* A declaration with the value that it has now, and those of other contexts at once: later the name
 * may mean something else. */
static void put_leaf(Session *s, Text *out, const Definition *d, const PtrMap *taken)
{
    const Leaf *leaf = session_leaf(s, d->leaf);
    const Tensor *t = leaf->shared ? map_get(&s->contexts.at[0]->values, d->leaf) : leaf->value;
    text_put(out, d->text);
    if (t) {
        text_put(out, " = ");
        put_value(s, out, t, taken);
    }
    text_putc(out, '\n');
    for (size_t k = 1; k < s->contexts.len; k++) {
        const Tensor *own = map_get(&s->contexts.at[k]->values, d->leaf);
        if (!own)
            continue;
        text_printf(out, "in %s { %s := ", s->contexts.at[k]->name, leaf->name);
        put_value(s, out, own, taken);
        text_put(out, " }\n");
    }
}

static void put_number(Text *out, const char *name, double is, double was)
{
    if (is == was)
        return;
    text_printf(out, ":set %s ", name);
    text_double(out, is);
    text_putc(out, '\n');
}

/* What was switched, as `:set` lines: last, so that the rules they name are there. */
static void put_switches(const Repl *r, Text *out)
{
    const RuleSet *rs = &r->s.rules;
    put_number(out, "steps", rs->step_limit, STEP_LIMIT);
    put_number(out, "nodes", rs->node_limit, NODE_LIMIT);
    put_number(out, "tries", (double)rs->try_limit, TRY_LIMIT);
    put_number(out, "memory", (double)r->s.st.heap.limit, 0);
    put_number(out, "print", (double)r->threshold, PRINT_WHOLE);
    put_number(out, "digits", r->digits, 0);
    const Pass **usual = xcalloc(pass_count() + 1, sizeof(Pass *));
    bool moved = rs->pipeline.len != passes_usual(usual);
    for (size_t i = 0; i < rs->pipeline.len && !moved; i++)
        moved = strcmp(rs->pipeline.at[i].name, usual[i]->name) != 0;
    free(usual);
    text_put(out, moved ? ":set passes" : "");
    for (size_t i = 0; i < rs->pipeline.len && moved; i++)
        text_printf(out, " %s", rs->pipeline.at[i].name);
    text_put(out, moved ? "\n" : "");
    for (size_t i = 0; i < rs->pipeline.len; i++)
        if (rs->pipeline.at[i].off)
            text_printf(out, ":set pass %s off\n", rs->pipeline.at[i].name);
    for (size_t i = 0; i < rs->all.len; i++)
        if (rs->all.at[i]->off)
            text_printf(out, ":set rule %s off\n", rs->all.at[i]->name);
    if (rs->allowed == HAZARD_DEFAULT)
        return;
    text_put(out, ":set allow ");
    hazard_print(out, rs->allowed & ~(u32)HAZARD_DEFAULT);
    text_putc(out, '\n');
}

/* How many definitions, declarations and rules it holds. */
static size_t put_session(Repl *r, Text *out)
{
    size_t n = 0;
    for (size_t k = 1; k < r->s.contexts.len; k++)
        text_printf(out, "in %s { }\n", r->s.contexts.at[k]->name);
    PtrMap last = {0}; /* name -> what it means so far */
    for (const Definition *d = r->s.first_definition; d; d = d->after) {
        const Definition *was = d->leaf ? map_get(&last, d->names[0]) : NULL;
        for (int i = 0; i < d->nnames; i++)
            map_put(&last, d->names[i], (void *)(uintptr_t)d);
        if (was && was->leaf == d->leaf)
            continue; /* what came in between is gone: declared as it is */
        n++;
        if (d->leaf)
            put_leaf(&r->s, out, d, &last);
        else
            text_printf(out, "%s\n", d->text);
    }
    map_free(&last);
    for (size_t i = 0; i < r->rules.len; i++, n++)
        text_printf(out, ":rule %s\n", r->rules.at[i]);
    put_switches(r, out);
    return n;
}

/* Rules of one's own, as lines of a .rules file. */
static size_t put_rules(const RuleSet *rs, Text *out)
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
        text_putc(out, '\n');
        count++;
    }
    return count;
}

bool command_save(Call *c)
{
    Repl *r = c->r;
    Text out = {0};
    size_t n;
    bool rules = repl_is_rules(c->file);
    if (rules)
        n = put_rules(&r->s.rules, &out);
    else
        n = put_session(r, &out);
    bool ok = call_put_file(c, &out, NULL);
    text_free(&out);
    if (!ok)
        return false;
    if (rules)
        text_printf(&c->out, "%zu rule%s in %s\n", n, n == 1 ? "" : "s", c->file);
    else
        text_printf(&c->out, "%zu declarations and definitions in %s\n", n, c->file);
    json_pair(&c->data, "file", c->file);
    if (rules)
        json_count(&c->data, "rules", (i64)n);
    return true;
}

/* ---- :vars ---- */

enum { MEANING = 60 }; /* characters of a definition that are shown */

/* What a definition says: what stands after its `=`, below the comments above it. */
static void put_meaning(Text *out, const char *text)
{
    while (*text == '#') {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    for (int depth = 0; *text && (*text != '=' || depth); text++)
        depth += (*text == '(') - (*text == ')');
    text += strspn(text, "= ");
    size_t len = strcspn(text, "\n"), most = len;
    for (size_t i = 0, shown = 0; i < len && most == len; i++) {
        bool begins = (text[i] & 0xC0) != 0x80; /* a character */
        most = begins && shown == MEANING ? i : len;
        shown += begins;
    }
    text_putn(out, text, most);
    text_put(out, text[most] ? "…" : "");
}

static const char *kind_of(const Leaf *leaf, const Value *v)
{
    if (leaf)
        return leaf->shared ? "shared" : "input";
    return v->kind == V_FUNCTION || v->kind == V_DERIVED ? "function" : "definition";
}

static void list_name(Call *c, Table *t, const Definition *d, Symbol name)
{
    Session *s = &c->r->s;
    Value *v = env_own(s->elab.globals, name);
    const Leaf *leaf = d->leaf ? session_leaf(s, d->leaf) : NULL;
    if (!v)
        return;
    Text type = {0}, value = {0};
    show_value_type(c->r, &type, v);
    const Tensor *held = !leaf          ? NULL
                         : leaf->shared ? map_get(&s->contexts.at[0]->values, leaf->node)
                                        : leaf->value;
    if (held)
        show_brief(c->r, &value, held);
    else if (!leaf)
        put_meaning(&value, d->text);
    const char *cells[] = {name, kind_of(leaf, v), text_str(&type), text_str(&value)};
    static const char *const keys[] = {"name", "kind", "type", "brief"};
    json_begin(&c->data, '{');
    for (size_t i = 0; i < COUNT_OF(cells); i++) {
        table_cell(t, "%s", cells[i]);
        json_pair(&c->data, keys[i], cells[i]);
    }
    json_end(&c->data, '}');
    text_free(&type);
    text_free(&value);
}

bool command_vars(Call *c)
{
    Session *s = &c->r->s;
    Table t = {.columns = 4};
    json_key(&c->data, "vars");
    json_begin(&c->data, '[');
    for (const Definition *d = s->first_definition; d; d = d->after)
        for (int i = 0; i < d->nnames; i++)
            if (map_get(&s->defined, d->names[i]) == d)
                list_name(c, &t, d, d->names[i]);
    json_end(&c->data, ']');
    if (!t.cells.len)
        text_put(&c->out, "no name is yours yet: `x = 1` makes one\n");
    table_print(&t, &c->out, 0);
    return true;
}

/* ---- :contexts, :history, :gc, :quit ---- */

bool command_contexts(Call *c)
{
    Session *s = &c->r->s;
    json_key(&c->data, "contexts");
    json_begin(&c->data, '[');
    for (size_t k = 0; k < s->contexts.len; k++) {
        text_printf(&c->out, "%s\n", s->contexts.at[k]->name);
        json_begin(&c->data, '{');
        json_key(&c->data, "name");
        json_string(&c->data, s->contexts.at[k]->name);
        json_key(&c->data, "values");
        json_begin(&c->data, '{');
        for (size_t i = 0; i < s->leaves.len; i++) {
            const Leaf *leaf = &s->leaves.at[i];
            Tensor *t = leaf->shared ? map_get(&s->contexts.at[k]->values, leaf->node) : NULL;
            if (!t)
                continue;
            Text value = {0}, json = {0};
            tensor_print(&value, t, c->r->threshold, c->r->digits);
            tensor_json(&json, t);
            text_printf(&c->out, "  %s : ", leaf->name);
            show_tensor_type(&c->out, t);
            text_printf(&c->out, " =%s%s\n", strchr(text_str(&value), '\n') ? "\n" : " ",
                        text_str(&value));
            json_key(&c->data, leaf->name);
            json_raw(&c->data, text_str(&json));
            text_free(&value);
            text_free(&json);
        }
        json_end(&c->data, '}');
        json_end(&c->data, '}');
    }
    json_end(&c->data, ']');
    return true;
}

/* The first word as a whole number. */
static bool word_count(Call *c, i64 fallback, i64 limit, i64 *out)
{
    const char *word;
    Span span;
    *out = fallback;
    if (!call_word(c, &word, &span))
        return true;
    char *end;
    *out = strtoll(word, &end, 10);
    return (!*end && end != word && *out >= 0 && *out <= limit) ||
           call_fail(c, span, "usage", NULL, "this takes a whole number from 0 to %lld",
                     (long long)limit);
}

bool command_history(Call *c)
{
    i64 n;
    if (!word_count(c, 20, 1000000, &n))
        return false;
    if (!c->r->line)
        return call_fail(c, c->span, "usage", NULL, "only what is typed at the prompt is kept");
    int count = 0;
    while (line_history(c->r->line, count))
        count++;
    json_key(&c->data, "entries");
    json_begin(&c->data, '[');
    for (int i = count > n ? count - (int)n : 0; i < count; i++) {
        const char *entry = line_history(c->r->line, i);
        text_printf(&c->out, "%s\n", entry);
        json_string(&c->data, entry);
    }
    json_end(&c->data, ']');
    return true;
}

bool command_gc(Call *c)
{
    Session *s = &c->r->s;
    session_forget(s);
    Collected got = session_collect(s);
    heap_free(&s->st.heap);
    text_printf(&c->out,
                "%zu nodes and %.1f MB freed; %zu nodes in %.1f MB stay, tensors take %.1f MB\n",
                got.nodes, (double)got.bytes / 1e6, got.kept,
                (double)(got.kept_bytes - s->st.heap.live) / 1e6, (double)s->st.heap.live / 1e6);
    json_key(&c->data, "freed_nodes");
    json_int(&c->data, (i64)got.nodes);
    json_key(&c->data, "freed_bytes");
    json_int(&c->data, (i64)got.bytes);
    json_key(&c->data, "nodes");
    json_int(&c->data, (i64)got.kept);
    json_key(&c->data, "graph_bytes");
    json_int(&c->data, (i64)(got.kept_bytes - s->st.heap.live));
    json_key(&c->data, "tensor_bytes");
    json_int(&c->data, (i64)s->st.heap.live);
    return true;
}

bool command_quit(Call *c)
{
    i64 code;
    if (!word_count(c, -1, 255, &code))
        return false;
    if (code >= 0)
        c->r->status = (int)code;
    else if (c->r->prompting)
        c->r->status = EXIT_FINE;
    c->r->quit = true;
    return true;
}
