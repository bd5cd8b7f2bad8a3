/* :play: opening a film, and printing its frames where nobody can press keys. */
#include "repl/commands/play.h"

#include "grad/vjp.h"
#include "passes/passes.h"
#include "repl/commands/watching.h"

enum { FIRST_FRAMES = 3, SHEET_FRAMES = 6, MOST_FRAMES = 1000, MOST_LOOPS = 1000000 };

/* ---- which loops ---- */

static void find_loops(int n, Node *const *roots, NodeVec *loops)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_SCAN)
            vec_push(loops, order.at[i]);
    vec_free(&order);
}

/* The loop that scan= or loop= asks for, else the first; NULL after a diagnostic. */
static Node *choose_loop(Film *f)
{
    NodeVec loops = {0};
    i64 k;
    const Option *o = call_option(f->c, "loop");
    Node *found = NULL;
    find_loops(f->l.nroots, f->l.roots, &loops);
    f->loops = (int)loops.len;
    if (!call_number(f->c, "loop", 1, 1, MOST_LOOPS, &k))
        found = NULL;
    else if (o && call_option(f->c, "scan"))
        call_fail(f->c, o->span, "usage", NULL, "loop= and scan= both say which loop");
    else if (call_option(f->c, "scan") || !loops.len)
        found = looking_scan(&f->l);
    else if (k > f->loops)
        call_fail(f->c, o->span, "usage", NULL, "there %s %d loop%s, so loop= goes up to %d",
                  f->loops == 1 ? "is" : "are", f->loops, f->loops == 1 ? "" : "s", f->loops);
    else
        found = loops.at[k - 1];
    for (size_t i = 0; i < loops.len; i++)
        if (loops.at[i] == found)
            f->loop = (int)i + 1;
    vec_free(&loops);
    return found;
}

/* The loop that goes through the steps of `loop` from the last to the first for the gradient by x;
 * NULL without a diagnostic: there is none. */
static bool way_back(Film *f, Node *loop, Node *x, Node **back)
{
    Store *st = f->l.st;
    Node *loss = f->l.roots[0], *one = node_number(st, node_dtype(loss), 1), *bar = NULL;
    DerivativeRecords record = {0};
    bool ok = vjp_pull_recorded(st, 1, &loss, &one, 1, &x, &bar, NULL, &record);
    *back = NULL;
    for (size_t i = 0; i < record.len && ok && bar && !*back; i++)
        if (record.at[i].kind == RECORD_LOOP && record.at[i].of == loop)
            *back = record.at[i].is;
    vec_free(&record);
    return ok;
}

/* ---- tracks ---- */

static PlayTrack *track_open(Film *f, Node *scan, const TensorMap *values)
{
    PlayTrack *t = xcalloc(1, sizeof *t);
    Text title = {0};
    Numbering num = {.within = NULL};
    Evaluator e = session_evaluator(&f->c->r->s);
    if (!loop_probe_open(&t->r, &e, scan, values)) {
        loop_probe_free(&t->r);
        free(t);
        return NULL;
    }
    play_body_open(&t->b, &t->r, &f->c->arena, f->c->r->digits);
    t->c = f->c;
    put_called(&title, f->l.st, scan, &num);
    t->title = report_take(&f->c->report, &title);
    map_free(&num.of);
    return t;
}

static void track_free(PlayTrack *t)
{
    if (!t)
        return;
    play_body_free(&t->b);
    loop_probe_free(&t->r);
    free(t);
}

static bool open_way_back(Film *f, Node *loop)
{
    if (!call_option(f->c, "grad"))
        return true;
    Node *x = looking_loss(&f->l) ? watched_variable(&f->l) : NULL;
    if (!x)
        return false;
    Node *back;
    if (!way_back(f, loop, x, &back))
        return false;
    if (!back)
        return call_fail(f->c, call_option(f->c, "grad")->span, "no-derivative", NULL,
                         "the gradient with respect to %s does not pass through this loop",
                         call_option(f->c, "grad")->value);
    f->tracks[1] = track_open(f, back, NULL);
    if (f->tracks[1]) {
        f->tracks[1]->backward = true;
        f->tracks[1]->b.offset = f->tracks[0]->b.offset;
    }
    return f->tracks[1] != NULL;
}

/* Is there no loop, and was none asked for? */
static bool is_straight(const Film *f)
{
    NodeVec loops = {0};
    find_loops(f->l.nroots, f->l.roots, &loops);
    bool none = !loops.len && !call_option(f->c, "loop") && !call_option(f->c, "scan");
    vec_free(&loops);
    return none && f->l.nroots == 1 && f->l.roots[0]->type->kind == TYPE_TENSOR;
}

bool film_open(Film *f, Call *c)
{
    *f = (Film){.c = c, .l = {.c = c, .st = &c->r->s.st}};
    f->l.nroots = call_roots(c, &f->l.roots);
    if (f->l.nroots < 1 ||
        !derivatives_expand(f->l.st, c->r->s.rules, &c->r->s.options, f->l.nroots, f->l.roots))
        return false;
    if (is_straight(f))
        return film_open_straight(f);
    f->l.scan = choose_loop(f);
    if (!f->l.scan || !(f->tracks[0] = track_open(f, f->l.scan, NULL)))
        return false;
    if (f->loops > 1)
        f->tracks[0]->title =
            report_format(&c->report, "%s, loop %d of %d", f->tracks[0]->title, f->loop, f->loops);
    return open_way_back(f, f->l.scan);
}

void film_free(Film *f)
{
    for (size_t i = 0; i < f->inner.len; i++)
        track_free(f->inner.at[i]);
    vec_free(&f->inner);
    track_free(f->tracks[0]);
    track_free(f->tracks[1]);
    backprop_free(&f->straight);
    free(f->l.roots);
}

PlayTrack *film_track(const Film *f)
{
    return f->inner.len ? f->inner.at[f->inner.len - 1] : f->tracks[f->which];
}

/* The first loop inside the step that is there, over the step's leaves. */
static Node *loop_inside(const PlayTrack *t)
{
    NodeVec order = {0};
    Node *found = NULL;
    const Graph *g = t->r.s.body;
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len && !found; i++)
        if (order.at[i]->op == OP_SCAN)
            found = order.at[i];
    vec_free(&order);
    return found;
}

bool film_enter(Film *f, bool *none)
{
    PlayTrack *t = film_track(f);
    Node *scan = t->straight ? NULL : loop_inside(t);
    *none = !scan;
    if (!scan || (t->r.at != t->step && !loop_probe_go(&t->r, t->step)))
        return false;
    PlayTrack *inner = track_open(f, map_get(&t->r.copy, scan), &t->r.values);
    if (inner) {
        Text title = {0};
        text_printf(&title, "%s, in step %lld of %s", inner->title, (long long)t->step, t->title);
        inner->title = report_take(&f->c->report, &title);
        vec_push(&f->inner, inner);
    }
    return inner != NULL;
}

bool film_leave(Film *f)
{
    if (!f->inner.len)
        return false;
    track_free(f->inner.at[--f->inner.len]);
    return true;
}

/* ---- frames as text ---- */

bool film_steps(Film *f, i64 steps, PlaySteps *s)
{
    const char *file = f->c->file;
    bool picture = file && strlen(file) > 4 && !strcmp(file + strlen(file) - 4, ".svg");
    i64 some = picture ? SHEET_FRAMES : file ? MOST_FRAMES : FIRST_FRAMES;
    i64 last = steps ? steps - 1 : 0, longest = last;
    LoopRange at;
    for (int k = 0; k < 2 && f->tracks[0]->straight && f->tracks[k]; k++)
        longest = f->tracks[k]->r.steps > longest ? f->tracks[k]->r.steps - 1 : longest;
    if (!call_range(f->c, "at", longest, &at))
        return false;
    *s = (PlaySteps){at.from, at.to, !file && !at.given};
    if (!at.given || at.open)
        s->to = s->from + some - 1;
    else if (s->to - s->from >= MOST_FRAMES)
        return call_fail(f->c, call_option(f->c, "at")->span, "usage", NULL,
                         "at most %d steps are shown at once", MOST_FRAMES);
    s->to = s->to > last ? last : s->to;
    return true;
}

static bool put_frame(Film *f, PlayTrack *t, i64 step)
{
    int width = repl_width(f->c->r);
    t->step = step;
    if (f->c->out.len)
        text_putc(&f->c->out, '\n');
    return play_put_frame(t, &f->c->out, width, 0, MARKS_NONE) &&
           (!f->c->r->json || play_put_json(t, &f->c->data));
}

static bool put_frames(Film *f, PlayTrack *t, const PlaySteps *s)
{
    bool ok = true;
    i64 last = t->r.steps - 1;
    for (i64 i = s->from; i <= s->to && ok; i++)
        ok = put_frame(f, t, i);
    if (ok && s->last && s->to + 1 < last)
        text_printf(&f->c->out, "\n… %lld step%s between (at=%lld..%lld)\n",
                    (long long)(last - s->to - 1), last - s->to == 2 ? "" : "s",
                    (long long)s->to + 1, (long long)last - 1);
    return ok && (!s->last || s->to >= last || put_frame(f, t, last));
}

static bool print_film(Film *f)
{
    Json *j = &f->c->data;
    const PlayTrack *t = f->tracks[0];
    bool ok = true;
    if (t->straight)
        report_say(&f->c->report, "{=expression}{=nodes}{=edges}", text_of(t->title),
                   int_of(t->r.steps), int_of(f->tracks[1] ? f->tracks[1]->r.steps : 0));
    else
        report_say(&f->c->report, "{=loop}{=loops}{=steps}{=stopped}", text_of(t->title),
                   int_of(f->loops), int_of(t->r.steps), flag_of(t->r.stopped));
    json_open(j, "frames", '[');
    for (int k = 0; k < 2 && f->tracks[k] && ok; k++) {
        PlaySteps s;
        ok = film_steps(f, f->tracks[k]->r.steps, &s) && put_frames(f, f->tracks[k], &s);
    }
    json_end(j, ']');
    return ok;
}

/* Keys can be pressed, and nothing else was asked for. */
static bool is_for_keys(const Call *c)
{
    const Option *at = call_option(c, "at");
    const char *dots = at ? strstr(at->value, "..") : NULL;
    bool frames = dots && dots[2];
    return !c->r->json && !c->r->capture && !c->r->listener.result && !frames &&
           term_is_interactive() && !term_is_dumb();
}

static bool put_file(Film *f)
{
    Call *c = f->c;
    Text out = {0}, about = {0};
    size_t n = strlen(c->file);
    i64 steps = f->tracks[0]->r.steps;
    PlaySteps s;
    bool picture = n > 4 && !strcmp(c->file + n - 4, ".svg");
    if (!film_steps(f, steps, &s))
        return false;
    i64 count = steps ? s.to - s.from + 1 : 0;
    text_printf(&about, "%lld of %lld steps of %s%s", (long long)count, (long long)steps,
                f->tracks[0]->straight ? "" : "the loop of ", c->text);
    bool ok = picture ? film_sheet(f, text_str(&about), &out) : film_page(f, c->text, &out);
    ok = ok && call_put_file(c, &out, picture ? text_str(&about) : NULL);
    if (ok && f->tracks[0]->straight)
        report_say(&c->report, "{file}: {nodes node}, {edges edge}\n", text_of(c->file),
                   int_of(steps), int_of(f->tracks[1] ? f->tracks[1]->r.steps : 0));
    else if (ok)
        report_say(&c->report, "{file}: {frames step} of {steps}\n", text_of(c->file),
                   int_of(count), int_of(steps));
    text_free(&out);
    text_free(&about);
    return ok;
}

static bool play(Film *f)
{
    PlaySteps s;
    PlayTrack *t = f->tracks[0];
    if (f->c->file)
        return put_file(f);
    if (!is_for_keys(f->c))
        return print_film(f);
    if (!film_steps(f, t->r.steps, &s))
        return false;
    t->step = s.from;
    return film_screen(f);
}

bool command_play(Call *c)
{
    Film f;
    bool ok = film_open(&f, c) && play(&f);
    film_free(&f);
    return ok;
}
