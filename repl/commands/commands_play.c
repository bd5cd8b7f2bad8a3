/* :play: opening a film, and printing its frames where nobody can press keys. */

#include "analysis/unroll_back.h"
#include "passes/passes.h"
#include "repl/commands/looking.h"
#include "repl/terminal/player.h"

enum { FIRST_FRAMES = 3, SHEET_FRAMES = 6, MOST_FRAMES = 1000, MOST_LOOPS = 1000000 };

/* The loop that it is of is looked at as by :trace. */
typedef struct {
    Call *c;
    Looking l;
    Film film;
    int loop, loops;    /* which one, from 1 on, of how many in the expression */
    PlaySteps shown[2]; /* of each track, where frames are printed or written */
} Playing;

/* ---- which loops ---- */

/* The loop that scan= or loop= asks for, else the first; NULL after a diagnostic. */
static Node *choose_loop(Playing *f)
{
    NodeVec loops = {0};
    i64 k;
    const Option *o = call_option(f->c, "loop");
    Node *found = NULL;
    scans_of(f->l.nroots, f->l.roots, &loops);
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

static bool open_way_back(Playing *f, Node *loop)
{
    if (!call_option(f->c, "grad"))
        return true;
    Node *x = watched_variable(&f->l);
    if (!x)
        return false;
    Node *back;
    if (!loop_way_back(f->l.st, loop, f->l.roots[0], x, &back))
        return false;
    if (!back)
        return call_fail(f->c, call_option(f->c, "grad")->span, "no-derivative", NULL,
                         "the gradient with respect to %s does not pass through this loop",
                         call_option(f->c, "grad")->value);
    return film_add_way_back(&f->film, back);
}

/* ---- without a loop ---- */

static bool is_loss(const Node *n)
{
    return n->type->kind == TYPE_TENSOR && !node_rank(n) && dtype_is_float(node_dtype(n));
}

/* What the derivative is by: what grad= says, else all inputs that are real. */
static bool find_variables(Playing *f, NodeVec *xs)
{
    NodeVec order = {0};
    if (call_option(f->c, "grad")) {
        Node *x = watched_variable(&f->l);
        if (x)
            vec_push(xs, x);
        return x != NULL;
    }
    nodes_topo(1, f->l.roots, &order);
    for (size_t i = 0; i < order.len && is_loss(f->l.roots[0]); i++)
        if ((order.at[i]->op == OP_INPUT || order.at[i]->op == OP_SHARED) &&
            type_has_floats(order.at[i]->type))
            vec_push(xs, order.at[i]);
    vec_free(&order);
    return true;
}

static bool open_straight(Playing *f)
{
    NodeVec xs = {0};
    Backprop *b = &f->film.straight;
    bool ok =
        find_variables(f, &xs) && backprop_open(b, &f->film.e, f->l.roots[0], (int)xs.len, xs.at);
    vec_free(&xs);
    if (ok && call_option(f->c, "grad") && !b->edges.len)
        return call_fail(f->c, call_option(f->c, "grad")->span, "no-derivative", NULL,
                         "%s does not depend on %s", f->c->text, call_option(f->c, "grad")->value);
    if (ok)
        film_add_straight(&f->film);
    return ok;
}

/* ---- opening ---- */

/* Is there no loop, and was none asked for? */
static bool is_straight(const Playing *f)
{
    NodeVec loops = {0};
    scans_of(f->l.nroots, f->l.roots, &loops);
    bool none = !loops.len && !call_option(f->c, "loop") && !call_option(f->c, "scan");
    vec_free(&loops);
    return none && f->l.nroots == 1 && f->l.roots[0]->type->kind == TYPE_TENSOR;
}

/* As the command's EXPR, loop=, scan= and grad= ask for it. To be freed either way. */
static bool open_film(Playing *f, Call *c)
{
    Film *film = &f->film;
    *f = (Playing){.c = c, .l = {.c = c, .st = &c->r->s.st}};
    *film = (Film){.e = session_evaluator(&c->r->s),
                   .arena = &c->arena,
                   .expression = c->text,
                   .digits = c->r->digits};
    f->l.nroots = call_roots(c, &f->l.roots);
    if (f->l.nroots < 1 ||
        !derivatives_expand(f->l.st, c->r->s.rules, &c->r->s.options, f->l.nroots, f->l.roots))
        return false;
    if (is_straight(f))
        return open_straight(f);
    f->l.scan = choose_loop(f);
    if (!f->l.scan || !(film->tracks[0] = track_open(film, f->l.scan, NULL)))
        return false;
    if (f->loops > 1)
        film->tracks[0]->title = report_format(&c->report, "%s, loop %d of %d",
                                               film->tracks[0]->title, f->loop, f->loops);
    return open_way_back(f, f->l.scan);
}

/* ---- frames as text ---- */

/* The steps that at= asks for, of a track that takes so many. false after a diagnostic. */
static bool find_steps(Playing *f, i64 steps, PlaySteps *s)
{
    const char *file = f->c->file;
    bool picture = file && strlen(file) > 4 && !strcmp(file + strlen(file) - 4, ".svg");
    i64 some = picture ? SHEET_FRAMES : file ? MOST_FRAMES : FIRST_FRAMES;
    i64 last = steps ? steps - 1 : 0, longest = last;
    LoopRange at;
    for (int k = 0; k < 2 && f->film.tracks[0]->straight && f->film.tracks[k]; k++)
        longest = f->film.tracks[k]->r.steps > longest ? f->film.tracks[k]->r.steps - 1 : longest;
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

/* Those of both tracks. */
static bool find_shown(Playing *f)
{
    bool ok = true;
    for (int k = 0; k < 2 && f->film.tracks[k] && ok; k++)
        ok = find_steps(f, f->film.tracks[k]->r.steps, &f->shown[k]);
    return ok;
}

static bool put_frame(Playing *f, PlayTrack *t, i64 step)
{
    int width = repl_width(f->c->r);
    t->step = step;
    if (f->c->out.len)
        text_putc(&f->c->out, '\n');
    return play_put_frame(t, &f->c->out, width, 0, MARKS_NONE) &&
           (!f->c->r->json || play_put_json(t, &f->c->data));
}

static bool put_frames(Playing *f, PlayTrack *t, const PlaySteps *s)
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

static bool print_film(Playing *f)
{
    Json *j = &f->c->data;
    const PlayTrack *t = f->film.tracks[0];
    bool ok = find_shown(f);
    if (t->straight)
        report_say(&f->c->report, "{=expression}{=nodes}{=edges}", text_of(t->title),
                   int_of(t->r.steps), int_of(f->film.tracks[1] ? f->film.tracks[1]->r.steps : 0));
    else
        report_say(&f->c->report, "{=loop}{=loops}{=steps}{=stopped}", text_of(t->title),
                   int_of(f->loops), int_of(t->r.steps), flag_of(t->r.stopped));
    json_open(j, "frames", '[');
    for (int k = 0; k < 2 && f->film.tracks[k] && ok; k++)
        ok = put_frames(f, f->film.tracks[k], &f->shown[k]);
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

static bool put_file(Playing *f)
{
    Call *c = f->c;
    Text out = {0}, about = {0};
    size_t n = strlen(c->file);
    i64 steps = f->film.tracks[0]->r.steps;
    bool picture = n > 4 && !strcmp(c->file + n - 4, ".svg");
    if (!find_shown(f))
        return false;
    i64 count = steps ? f->shown[0].to - f->shown[0].from + 1 : 0;
    text_printf(&about, "%lld of %lld steps of %s%s", (long long)count, (long long)steps,
                f->film.tracks[0]->straight ? "" : "the loop of ", c->text);
    bool ok = picture ? film_sheet(&f->film, f->shown, text_str(&about), &out)
                      : film_page(&f->film, f->shown, &out);
    ok = ok && call_put_file(c, &out, picture ? text_str(&about) : NULL);
    if (ok && f->film.tracks[0]->straight)
        report_say(&c->report, "{file}: {nodes node}, {edges edge}\n", text_of(c->file),
                   int_of(steps), int_of(f->film.tracks[1] ? f->film.tracks[1]->r.steps : 0));
    else if (ok)
        report_say(&c->report, "{file}: {frames step} of {steps}\n", text_of(c->file),
                   int_of(count), int_of(steps));
    text_free(&out);
    text_free(&about);
    return ok;
}

static bool play(Playing *f)
{
    PlayTrack *t = f->film.tracks[0];
    if (f->c->file)
        return put_file(f);
    if (!is_for_keys(f->c))
        return print_film(f);
    if (!find_steps(f, t->r.steps, &f->shown[0]))
        return false;
    t->step = f->shown[0].from;
    Call *c = f->c;
    return film_by_keys(&c->r->s, &f->film, c->span, call_marks(c)) &&
           film_put_last(&f->film, call_marks(c), repl_width(c->r), &c->out);
}

bool command_play(Call *c)
{
    Playing f;
    bool ok = open_film(&f, c) && play(&f);
    film_free(&f.film);
    free(f.l.roots);
    return ok;
}
