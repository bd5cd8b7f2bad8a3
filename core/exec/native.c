/* When a program's native code is made, and the code while it is loaded.
 *
 * Invariant: what decides is time predicted from counts (ops/cost.h) and whether the folder has the
 * library; never the clock. A program without a library has no function in its blocks. */
#include "exec/native_code.h"
#include "exec/plan_work.h"
#include "ops/cost.h"

#include <dlfcn.h>

/* A look into the folder takes so much less than compiling does. */
enum { LOOKS = 30 };

static const char *const modes[] = {"off", "auto", "on"};

const char *native_mode_name(NativeMode mode) { return modes[mode]; }

bool native_mode_parse(const char *word, NativeMode *out)
{
    for (size_t i = 0; i < COUNT_OF(modes); i++)
        if (!strcmp(word, modes[i])) {
            *out = (NativeMode)i;
            return true;
        }
    return false;
}

void native_set(Native *n, NativeMode mode)
{
    n->mode = mode;
    n->disabled = n->noted = false;
    text_free(&n->note);
}

void native_free(Native *n) { text_free(&n->note); }

NativeState program_native(const Program *p) { return p->native->state; }

const char *native_state_name(NativeState state)
{
    return state == NATIVE_COMPILED || state == NATIVE_CACHED ? "native code" : "virtual machine";
}

static void native_text_free(NativeText *t)
{
    text_free(&t->c);
    vec_free(&t->table);
    vec_free(&t->slots);
    vec_free(&t->blocks);
    vec_free(&t->heavy);
    vec_free(&t->left);
}

/* ---- loading ---- */

static bool take_functions(struct NativeProgram *np, NativeText *t)
{
    const AnyFunction *functions = dlsym(np->library, "gradus_functions");
    if (!functions)
        return false;
    for (size_t i = 0; i < t->slots.len; i++)
        memcpy(t->slots.at[i], &functions[i], sizeof functions[i]);
    for (size_t i = 0; i < t->blocks.len; i++)
        t->blocks.at[i]->heavy = t->heavy.at[i];
    np->table = t->table.at;
    t->table.at = NULL;
    return true;
}

static void load(Native *n, const Program *p, bool compile)
{
    struct NativeProgram *np = p->native;
    NativeText t = {0};
    bool cached = false;
    n->write(p, &t);
    if (t.slots.len)
        np->library = native_library(n, text_str(&t.c), t.c.len, compile, &cached);
    if (np->library && take_functions(np, &t))
        np->state = cached ? NATIVE_CACHED : NATIVE_COMPILED;
    else if (compile || !t.slots.len)
        np->state = NATIVE_FAILED;
    native_text_free(&t);
}

void native_consider(Native *n, const Program *p, double nanoseconds)
{
    struct NativeProgram *np = p->native;
    if (n->mode == NATIVE_OFF || n->disabled || np->state != NATIVE_NONE)
        return;
    np->spent += nanoseconds;
    if (n->mode == NATIVE_ON || np->spent >= machine.compile) {
        load(n, p, true);
    } else if (np->spent >= machine.compile / LOOKS && !np->looked) {
        np->looked = true;
        load(n, p, false);
    }
}

void program_native_free(Program *p)
{
    if (!p->native)
        return;
    if (p->native->library)
        dlclose(p->native->library);
    free(p->native->table);
    free(p->native);
}

/* ---- what :plan says ---- */

static const char *state_text(const Native *n, NativeState state)
{
    switch (state) {
    case NATIVE_COMPILED: return "compiled";
    case NATIVE_CACHED: return "from the cache";
    case NATIVE_FAILED: return "not possible: the virtual machine runs it";
    default:
        return n->mode == NATIVE_OFF  ? "off: the virtual machine runs it"
               : n->disabled          ? "no C compiler: the virtual machine runs it"
               : n->mode == NATIVE_ON ? "on: compiled at the first run"
                                      : "auto: compiled after about 0.1 s in the virtual machine";
    }
}

void native_print(Text *out, const Native *n, const Program *p)
{
    NativeText t = {0};
    n->write(p, &t);
    if (!t.slots.len) {
        text_put(out, "native: nothing to compile: no loops and no fused groups\n");
        native_text_free(&t);
        return;
    }
    text_printf(out, "native: %s\n", state_text(n, p->native->state));
    if (t.blocks.len) {
        text_put(out, "    loops as C:");
        for (size_t i = 0; i < t.blocks.len; i++)
            text_printf(out, " @%u", t.blocks.at[i]->id);
        text_putc(out, '\n');
    }
    if (t.tiles)
        text_printf(out, "    fused groups as C: %u\n", t.tiles);
    if (t.rows)
        text_printf(out, "    rows as C: %u part%s, up to %d elements a row\n", t.rows,
                    t.rows == 1 ? "" : "s", (int)SWEEP_ROW);
    for (size_t i = 0; i < t.left.len; i++)
        text_printf(out, "    by the virtual machine: %s in @%u\n",
                    node_info(t.left.at[i].node)->name, t.left.at[i].block->id);
    native_text_free(&t);
}
