/* Files of numbers: load and save.
 *
 * Invariant: both happen while the statement is elaborated. What load read is a constant
 * of the graph; save evaluates with the present values, stores whole files only, and is
 * allowed only where a statement stands, so it happens once. */
#include "lang/builtins.h"
#include "syntax/lex.h"
#include "tensor/csv.h"
#include "tensor/npy.h"
#include "tensor/npz.h"

#include <strings.h>

/* ---- names of files ---- */

typedef enum { FILE_NPY, FILE_NPZ, FILE_TABLE, FILE_TABS } FileKind;

/* By the ending of its name. */
static FileKind file_kind(const char *path)
{
    static const struct {
        const char *ending;
        FileKind kind;
    } known[] = {
        {".npz", FILE_NPZ}, {".csv", FILE_TABLE}, {".txt", FILE_TABLE}, {".tsv", FILE_TABS}};
    size_t n = strlen(path);
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        size_t k = strlen(known[i].ending);
        if (n >= k && strcasecmp(path + n - k, known[i].ending) == 0)
            return known[i].kind;
    }
    return FILE_NPY;
}

static const char *path_arg(Elab *e, Args *a, int i)
{
    const Value *v = a->at[i];
    if (v->kind != V_STRING)
        return elab_error(e, a->spans[i], "type-mismatch", "write it in quotes: \"a.npy\"",
                          "%s takes the name of a file here", a->builtin->name);
    if (!*v->text)
        return elab_error(e, a->spans[i], "io", NULL, "the name of the file is empty");
    return v->text;
}

static void *file_error(Elab *e, Span span, const char *path, char *message)
{
    bool named = message && strstr(message, path);
    if (interrupted(e->st->interrupt)) {
        free(message);
        return diag_interrupted(e->st->diags, span, NULL);
    }
    elab_error(e, span, "io", NULL, "%s%s%s", named ? "" : path, named ? "" : ": ",
               message ? message : "failed");
    free(message);
    return NULL;
}

/* ---- load ---- */

/* Bytes of `name` at `at` that a name of the language may have; 0: none. */
static size_t name_bytes(const Source *src, size_t at)
{
    bool digit = src->text[at] >= '0' && src->text[at] <= '9';
    return digit ? 1 : lex_word_length(src, at); /* a digit begins no word, but may stand in one */
}

/* A name of a column or array as one of the language: what no name can have becomes one `_`, or
 * nothing at the ends. */
static Symbol part_name(Elab *e, const char *name, int i)
{
    Source src = {.text = (char *)name, .len = strlen(name)};
    Text t = {0};
    bool owed = *name >= '0' && *name <= '9';
    for (size_t at = 0, n; at < src.len; at += n) {
        n = name_bytes(&src, at);
        if (n && owed)
            text_putc(&t, '_');
        owed = n ? false : t.len > 0;
        text_putn(&t, name + at, n);
        n += !n;
    }
    if (!t.len)
        text_printf(&t, "c%d", i);
    Symbol s = symbol(e->st, text_str(&t));
    text_free(&t);
    return s;
}

/* Tensors as the parts of a tuple; two of one name are an error. */
static Value *named_parts(Elab *e, Args *a, const char *path, int n, char *const *names,
                          Tensor *const *tensors)
{
    Value **items = arena_alloc(e->arena, ((size_t)n + 1) * sizeof(Value *));
    Symbol *symbols = arena_alloc(e->arena, ((size_t)n + 1) * sizeof(Symbol));
    MAP(const char *, size_t) seen = {0}; /* name -> its part, from 1 on */
    Value *v = value_tuple(e, n, items);
    for (int i = 0; v && i < n; i++) {
        symbols[i] = part_name(e, names[i], i);
        size_t first = map_get(&seen, symbols[i]);
        if (first)
            v = elab_error(e, a->spans[0], "io", "give one of them another name in the file",
                           "%s: its parts %d and %d are both called %s", path, (int)first, i + 1,
                           symbols[i]);
        else
            v->items[i] = value_node(e, node_const(e->st, tensors[i]));
        map_put(&seen, symbols[i], (size_t)i + 1);
    }
    if (v)
        v->names = symbols;
    map_free(&seen);
    return v;
}

static bool word_option(Elab *e, Args *a, CsvWordUse *use)
{
    const Value *v = a->at[3];
    *use = CSV_WORDS_REFUSED;
    if (!v || v->kind == V_NONE)
        return true;
    if (v->kind == V_STRING && strcmp(v->text, "skip") == 0)
        *use = CSV_WORDS_SKIPPED;
    else if (v->kind == V_STRING && strcmp(v->text, "code") == 0)
        *use = CSV_WORDS_CODED;
    else
        elab_error(e, a->spans[3], "type-mismatch", NULL,
                   "text is \"skip\", which leaves columns of words out, or \"code\", which "
                   "numbers their words");
    return *use != CSV_WORDS_REFUSED;
}

static bool csv_options(Elab *e, Args *a, FileKind kind, CsvOptions *o)
{
    bool header = false;
    *o = (CsvOptions){.separator = kind == FILE_TABS ? '\t' : 0, .interrupt = e->st->interrupt};
    const Value *s = a->at[1], *h = a->at[2];
    if (s && s->kind != V_NONE) {
        if (s->kind != V_STRING || strlen(s->text) != 1 || strchr("\"\n\r#", *s->text))
            return elab_error(e, a->spans[1], "type-mismatch",
                              "separator=\";\", or \" \" for blanks",
                              "a separator is one character in quotes"),
                   false;
        o->separator = *s->text;
    }
    if (!word_option(e, a, &o->words))
        return false;
    if (!h || h->kind == V_NONE)
        return true;
    if (!arg_bool(e, a, 2, false, &header))
        return false;
    o->header = header ? HEADER_FIRST_LINE : HEADER_NONE;
    return true;
}

/* "column species: 0 is "setosa", 1 is "virginica"", for each column of words. */
static void note_words(Elab *e, Span span, const CsvTable *t)
{
    enum { MOST = 8 };
    for (int i = 0; i < t->n; i++) {
        const CsvWords *w = &t->words[i];
        Text s = {0};
        for (int k = 0; k < w->n && k < MOST; k++)
            text_printf(&s, "%s%d is \"%s\"", k ? ", " : "", k, w->at[k]);
        if (w->n > MOST)
            text_printf(&s, ", .. (%d words)", w->n);
        if (w->n && t->names)
            diag_note(e->st->diags, "words", span, "column %s: %s", t->names[i], text_str(&s));
        else if (w->n)
            diag_note(e->st->diags, "words", span, "column %d: %s", i, text_str(&s));
        text_free(&s);
    }
}

static Value *load_table(Elab *e, Args *a, const char *path, FileKind kind)
{
    CsvOptions o;
    CsvTable t;
    char *message = NULL;
    if (!csv_options(e, a, kind, &o))
        return NULL;
    if (!csv_load(&e->st->heap, path, o, &t, &message))
        return file_error(e, a->spans[0], path, message);
    Value *v = NULL;
    note_words(e, a->spans[0], &t);
    if (t.names) {
        v = named_parts(e, a, path, t.n, t.names, t.columns);
    } else {
        Tensor *m = csv_matrix(&e->st->heap, &t);
        v = m ? value_node(e, node_const(e->st, m))
              : elab_error(e, a->spans[0], "memory", NULL, "%s: not enough memory", path);
        tensor_unref(m);
    }
    csv_free(&t);
    return v;
}

static Value *load_archive(Elab *e, Args *a, const char *path)
{
    Npz z;
    char *message = NULL;
    if (!npz_load(&e->st->heap, path, e->st->interrupt, &z, &message))
        return file_error(e, a->spans[0], path, message);
    Value *v = named_parts(e, a, path, z.n, z.names, z.tensors);
    npz_free(&z);
    return v;
}

static Value *load_tensor(Elab *e, Args *a, const char *path)
{
    char *message = NULL;
    Tensor *t = npy_load(&e->st->heap, path, e->st->interrupt, &message);
    if (!t)
        return file_error(e, a->spans[0], path, message);
    Node *n = node_const(e->st, t);
    tensor_unref(t);
    return value_node(e, n);
}

BUILTIN(load)
{
    const char *path = path_arg(e, a, 0);
    FileKind kind = path ? file_kind(path) : FILE_NPY;
    e->files++;
    if (!path)
        return NULL;
    for (int i = 1; i < 4; i++)
        if (a->at[i] && kind != FILE_TABLE && kind != FILE_TABS)
            return elab_error(e, a->spans[i], "usage", "tables end in .csv, .tsv or .txt",
                              "only a table has a separator, a header and words");
    return kind == FILE_NPY   ? load_tensor(e, a, path)
           : kind == FILE_NPZ ? load_archive(e, a, path)
                              : load_table(e, a, path, kind);
}

/* ---- save ---- */

/* What is to be written: tensors, and their names if they have some. */
typedef struct {
    int n;
    Node **nodes;
    char **names;
    Tensor **tensors;
} Saved;

static bool is_statement(Elab *e, Args *a)
{
    const Expr *s = e->statement;
    if (s && s->span.src == a->span.src && s->span.start == a->span.start &&
        s->span.end == a->span.end)
        return true;
    return elab_error(e, a->span, "context", "give the value a name and save that",
                      "save is a separate statement: it must be alone on its line"),
           false;
}

static bool can_save(Elab *e, Args *a, Node *x)
{
    Node *missing;
    if (x->type->kind != TYPE_TENSOR || x->type->dtype == DT_RNG)
        return elab_error(e, a->spans[0], "type-mismatch", NULL,
                          "%s cannot be saved in a file of numbers", shape_text(e->st, x->type)),
               false;
    if (!e->host->missing(e->host->session, x, &missing))
        return true;
    const char *name = missing->op == OP_SIZE ? "a size" : missing->attrs[0].name;
    return elab_error(e, a->spans[0], "no-value", "give it one with :=", "%s has no value", name),
           false;
}

/* The tensors of what is saved, arr_0, arr_1 .. where they have no names, as numpy.savez calls
 * them. */
static bool saved_parts(Elab *e, Args *a, Saved *s)
{
    Value *v = value_plain(e, a->at[0]);
    bool tuple = v && v->kind == V_TUPLE;
    s->n = tuple ? v->nitems : 1;
    s->nodes = arena_alloc(e->arena, ((size_t)s->n + 1) * sizeof(Node *));
    s->names = arena_alloc(e->arena, ((size_t)s->n + 1) * sizeof(char *));
    s->tensors = arena_alloc(e->arena, ((size_t)s->n + 1) * sizeof(Tensor *));
    for (int i = 0; i < s->n; i++) {
        Value *part = tuple ? value_plain(e, v->items[i]) : v;
        char name[24];
        if (tuple && part && part->kind == V_TUPLE)
            return elab_error(e, a->spans[0], "type-mismatch", "save its parts one by one",
                              "%s has tuples in it", tuple_structure(e, v)),
                   false;
        s->nodes[i] = part ? value_to_node(e, part, a->spans[0], "save") : NULL;
        snprintf(name, sizeof name, "arr_%d", i);
        const char *used = tuple && v->names ? v->names[i] : name;
        s->names[i] = arena_strndup(e->arena, used, strlen(used));
        if (!s->nodes[i] || !can_save(e, a, s->nodes[i]))
            return false;
    }
    return true;
}

static void free_saved(Saved *s)
{
    for (int i = 0; i < s->n; i++)
        tensor_unref(s->tensors[i]);
}

static bool evaluate_parts(Elab *e, Args *a, Saved *s)
{
    e->st->span = a->spans[0];
    for (int i = 0; i < s->n; i++)
        if (!(s->tensors[i] = e->host->evaluate(e->host->session, s->nodes[i])))
            return false;
    return true;
}

/* Column k of a matrix. */
static Tensor *matrix_column(Elab *e, const Tensor *m, i64 k)
{
    Tensor *t = tensor_new(&e->st->heap, m->dtype, 1, &m->shape[0]);
    size_t size = dtype_size(m->dtype);
    for (i64 i = 0; t && i < m->shape[0]; i++)
        memcpy((u8 *)t->data + (size_t)i * size,
               (const u8 *)m->data + (size_t)(i * m->shape[1] + k) * size, size);
    return t;
}

/* A matrix as its columns, which are without names. */
static bool split_matrix(Elab *e, Args *a, Saved *s)
{
    Tensor *m = s->tensors[0];
    s->n = (int)m->shape[1];
    s->tensors = arena_alloc(e->arena, ((size_t)s->n + 1) * sizeof(Tensor *));
    bool ok = true;
    for (int k = 0; k < s->n && ok; k++)
        ok = (s->tensors[k] = matrix_column(e, m, k)) != NULL;
    tensor_unref(m);
    if (!ok)
        elab_error(e, a->spans[0], "memory", NULL, "not enough memory for the columns");
    return ok;
}

/* Can they be the columns of a table? */
static bool are_columns(Elab *e, Args *a, const Saved *s, bool named)
{
    for (int i = 0; i < s->n; i++) {
        const Tensor *t = s->tensors[i];
        if (t->rank != 1 || t->count != s->tensors[0]->count)
            return elab_error(
                       e, a->spans[0], "shape-mismatch", "an .npz file takes arrays of any shapes",
                       named
                           ? "a table has vectors of one length as columns; %s is not as long as %s"
                           : "a table is a matrix, a vector, or a named tuple of vectors",
                       s->names[i], s->names[0]),
                   false;
    }
    return true;
}

static bool save_table(Elab *e, Args *a, Saved *s, const char *path, FileKind kind, char **message)
{
    bool named = value_plain(e, a->at[0])->kind == V_TUPLE;
    if (!named && s->tensors[0]->rank == 2 && !split_matrix(e, a, s))
        return false;
    return are_columns(e, a, s, named) &&
           csv_save(s->n, named ? s->names : NULL, s->tensors, path, kind == FILE_TABS ? '\t' : ',',
                    e->st->interrupt, message);
}

BUILTIN(save)
{
    Saved s = {0};
    const char *path = path_arg(e, a, 1);
    char *message = NULL;
    if (!path || !is_statement(e, a) || !saved_parts(e, a, &s))
        return NULL;
    FileKind kind = file_kind(path);
    if (kind == FILE_NPY && value_plain(e, a->at[0])->kind == V_TUPLE)
        return elab_error(e, a->spans[0], "type-mismatch",
                          "save it as .npz, or as .csv if its parts are columns",
                          "a .npy file holds one array, but this is %s",
                          tuple_structure(e, value_plain(e, a->at[0])));
    bool ok = evaluate_parts(e, a, &s);
    if (ok)
        ok = kind == FILE_NPY ? npy_save(s.tensors[0], path, e->st->interrupt, &message)
             : kind == FILE_NPZ
                 ? npz_save(s.n, s.names, s.tensors, path, e->st->interrupt, &message)
                 : save_table(e, a, &s, path, kind, &message);
    free_saved(&s);
    if (ok)
        return value_tuple(e, 0, NULL);
    return message ? file_error(e, a->spans[1], path, message) : NULL;
}
