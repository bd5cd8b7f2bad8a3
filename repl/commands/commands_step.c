/* Walking through the states of an expression, :step: one by one at a terminal, all printed, or one
 * of them: that of a number, the next or the previous one, the next of a rule. */
#include "rewrite/things.h"
#include "repl/commands/show.h"
#include "repl/commands/stepper.h"
#include "rewrite/history.h"

/* ---- :step, all states ---- */

static bool print_state(Stepper *s)
{
    Json *j = &s->c->data;
    Text text = {0};
    json_begin(j, '{');
    bool ok = stepper_put(s, &text, SHOW_CHANGE) && (!s->c->r->json || stepper_json(s));
    json_end(j, '}');
    put_indented(&s->c->out, text_str(&text), text.len, 2 * s->at.depth);
    text_free(&text);
    return ok;
}

/* The states of this level; those inside a step stand before the one that it leads to. */
static bool print_level(Stepper *s, bool open, LogSet *shown)
{
    const StepLog *log = cursor_level(&s->at)->log;
    bool ok = true;
    for (u32 k = 0; k <= log->at.len && ok && !term_interrupted(); k++) {
        cursor_level(&s->at)->at = k;
        session_progress(&s->c->r->s, s->began,
                         (double)s->at.levels[0].at / (double)(s->at.levels[0].log->at.len + 1));
        const Step *step = k ? &log->at.at[k - 1] : NULL;
        bool inside = open && step && !(step->inner && map_has(shown, step->inner));
        if (inside && step->inner)
            set_add(shown, step->inner);
        if (inside && cursor_in(&s->at)) {
            ok = print_level(s, open, shown);
            cursor_out(&s->at);
        }
        ok = ok && print_state(s);
    }
    return ok;
}

static bool print_all(Stepper *s, bool open)
{
    LogSet shown = {0};
    json_open(&s->c->data, "states", '[');
    bool ok = print_level(s, open, &shown);
    json_end(&s->c->data, ']');
    map_free(&shown);
    return ok;
}

/* ---- :step at a terminal: keys are words on a line of their own ---- */

static const char *move_to(Stepper *s, const char *key)
{
    Place p;
    StepLevel *l = cursor_level(&s->at);
    char *end;
    unsigned long k = strtoul(key, &end, 10);
    if (!*end && k <= l->log->at.len) {
        l->at = (u32)k;
        return NULL;
    }
    if (!*end)
        return "this list has fewer steps";
    if (place_parse(key, &p) && cursor_goto(&s->at, &p))
        return NULL;
    return "there is no such step";
}

/* Back to where one has been, or forward again. */
static const char *been_move(StepTrail *b, Stepper *s, bool back)
{
    return trail_move(b, &s->at, back) ? NULL
           : back                      ? "this is where you began"
                                       : "there is nothing to go forward to";
}

static const char *step_forward(Stepper *s)
{
    return cursor_next(&s->at) ? NULL
           : s->at.depth       ? "this is the last step in here; out leaves"
                               : "this is the last step";
}

static const char *step_back(Stepper *s)
{
    return cursor_back(&s->at) ? NULL
           : s->at.depth       ? "this is the first state in here; out leaves"
                               : "this is the start";
}

/* A step that has it, else a whole state. */
static const char *search(Stepper *s, const char *text, StepShown *show)
{
    if (!*text)
        return "/ needs a text to search for";
    *show = SHOW_CHANGE;
    if (cursor_find(&s->at, text, repl_width(s->c->r)))
        return NULL;
    *show = SHOW_STATE;
    return stepper_find_state(s, text) ? NULL : "no step and no state has that";
}

static const char *until(Stepper *s, const char *rule)
{
    if (!*rule)
        return "until needs the name of a rule";
    if (!rule_by_name(s->c->r->s.rules, rule) && strcmp(rule, "inner") != 0)
        return "there is no such rule; :rules lists them";
    return cursor_until(&s->at, rule) ? NULL : "no further step of that rule";
}

static bool is_key(const char *key, const char *letter, const char *word)
{
    return !strcmp(key, letter) || !strcmp(key, word);
}

/* One key. Returns a message, or NULL if the place is to be shown. */
static const char *press(Stepper *s, StepTrail *been, const char *key, const char *argument,
                         StepShown *show)
{
    *show = SHOW_CHANGE;
    if (!*key || is_key(key, "n", "next"))
        return step_forward(s);
    if (is_key(key, "p", "prev"))
        return step_back(s);
    if (is_key(key, "u", "until"))
        return until(s, argument);
    if (is_key(key, "i", "in"))
        return cursor_in(&s->at) ? NULL : "this step has no steps inside";
    if (is_key(key, "o", "out"))
        return cursor_out(&s->at) ? NULL : "this is the outermost graph";
    if (*key == '<' || *key == '>')
        return been_move(been, s, *key == '<');
    if (*key >= '0' && *key <= '9')
        return move_to(s, key);
    if (is_key(key, "w", "whole"))
        *show = SHOW_STATE;
    else if (is_key(key, "g", "graph"))
        *show = SHOW_GRAPH;
    else
        return "n next, p previous, until RULE, /TEXT search, in, out, a number, < back, > "
               "forward,\n"
               "w whole state, g graph, q quit; other commands start with a colon, as usual";
    return NULL;
}

/* false: it was `q`. */
static bool react(Stepper *s, StepTrail *been, char *line, const char **message, StepShown *show)
{
    char key[64] = "", argument[128] = "";
    line[strcspn(line, "\n")] = '\0';
    s->sought = NULL;
    if (*line == '/') {
        *message = search(s, line + 1, show);
    } else {
        sscanf(line, "%63s %127s", key, argument);
        if (is_key(key, "q", "quit"))
            return false;
        *message = press(s, been, key, argument, show);
    }
    if (*key != '<' && *key != '>')
        trail_note(been, &s->at);
    return true;
}

/* What the line editor asks while it stands at `step> `. */
typedef struct {
    Stepper *s;
    Line *line;
    LineConfig outer; /* of the prompt */
} Asked;

/* Of the prompt; NULL: there is none. */
static const LineConfig *outer_config(const Asked *a)
{
    return a->s->c->r->line ? &a->outer : NULL;
}

/* The words at `step>`, and after `until` the rules that fired; after a colon as ever. */
static char **complete_key(const char *buffer, int start, int end, const char *word, void *ctx)
{
    static const char *const keys[] = {"next", "prev",  "until", "in",
                                       "out",  "whole", "graph", "quit"};
    const Asked *a = ctx;
    const LineConfig *outer = outer_config(a);
    VEC(char *) found = {0};
    if (*buffer == ':' || *word == ':')
        return outer && outer->complete ? outer->complete(buffer, start, end, word, outer->ctx)
                                        : NULL;
    bool rule = strncmp(buffer, "u ", 2) == 0 || strncmp(buffer, "until ", 6) == 0;
    RulesFired rules = {0};
    steplog_fired(&a->s->x->log, false, &rules);
    for (size_t i = 0; i < (rule ? rules.len : COUNT_OF(keys)); i++) {
        const char *name = rule ? rules.at[i].rule : keys[i];
        if (strncmp(name, word, strlen(word)) == 0 && (rule || !start))
            vec_push(&found, xstrdup(name));
    }
    vec_free(&rules);
    if (!found.len)
        return NULL;
    vec_push(&found, NULL);
    return found.at;
}

static const char *help_on_word(const char *word, void *ctx)
{
    const LineConfig *outer = outer_config(ctx);
    return outer && outer->help ? outer->help(word, outer->ctx) : NULL;
}

/* Runs a command that was typed at `step>`; false: the steps are gone with it. */
static bool run_command(Stepper *s, const char *line)
{
    Repl *r = s->c->r;
    u32 forgotten = r->s.forgotten;
    char name[32];
    snprintf(name, sizeof name, "<input %u>", ++r->entries);
    repl_run_text(r, name, line, strlen(line));
    if (r->s.forgotten != forgotten && !r->quit)
        text_put(&s->c->out,
                 "the steps are gone with what that changed; :step EXPR shows new ones\n");
    return r->s.forgotten == forgotten && !r->quit && !r->reset;
}

/* Shows the place or the message; true: one goes on from there. */
static bool ask(Stepper *s, StepTrail *been, Asked *a, const char **message, StepShown *show)
{
    LineConfig config = {.complete = complete_key, .help = help_on_word, .ctx = a};
    Text out = {0};
    if (*message)
        text_printf(&out, "%s%s", *message, **message ? "\n" : "");
    else
        stepper_put(s, &out, *show);
    show_put(s->c->r, &out);
    char *line = line_ask(a->line, &config, "step> ");
    if (!line)
        return false;
    bool command = *line == ':', goes_on = true;
    if (command) {
        goes_on = run_command(s, line);
        *message = "";
    } else {
        *message = NULL;
        goes_on = react(s, been, line, message, show);
    }
    free(line);
    return goes_on;
}

static bool interact(Stepper *s)
{
    Repl *r = s->c->r;
    StepShown show = SHOW_CHANGE;
    const char *message = NULL;
    StepTrail been = {.of = {0}};
    if (r->s.walked)
        return call_fail(s->c, s->c->span, "usage", "q leaves the one that runs",
                         ":step cannot run inside :step");
    Asked a = {.s = s, .line = r->line ? r->line : line_open(&(LineConfig){.history_path = ""})};
    if (r->line)
        a.outer = *line_config(r->line);
    bool prompting = r->prompting; /* ^C ends a statement, not all of it */
    r->prompting = true;
    r->s.walked = s->x;
    trail_note(&been, &s->at);
    while (a.line && ask(s, &been, &a, &message, &show))
        continue;
    r->s.walked = NULL;
    r->prompting = prompting;
    if (!r->line)
        line_close(a.line);
    vec_free(&been.of);
    return true;
}

/* ---- :step, one state ---- */

/* Shows where the stepper stands; the commands go on from there. */
static bool show_position(Stepper *s)
{
    Call *c = s->c;
    cursor_place(&s->at, &s->x->at);
    report_field(&c->report, "steps", int_of((i64)s->x->log.at.len));
    return stepper_put(s, &c->out, SHOW_CHANGE) && stepper_json(s);
}

static bool go_to(Stepper *s, const Option *o)
{
    Place p;
    return (place_parse(o->value, &p) && cursor_goto(&s->at, &p)) ||
           call_fail(s->c, o->span, "usage", "one inside another is 9.1; :steps numbers them",
                     "the steps are 0 to %zu here", s->x->log.at.len);
}

/* Past the last step inside one, or back from the first state there: to the step outside. */
static bool move_one(Stepper *s, const Option *o, bool forward)
{
    StepCursor *at = &s->at;
    if (forward ? cursor_next(at) : cursor_back(at))
        return true;
    if (cursor_out(at)) /* on, the step outside is what these led to */
        return forward || cursor_back(at);
    return call_fail(s->c, o->span, "usage", forward ? "step=0 is the start" : NULL,
                     forward ? "this is the last step" : "this is the start");
}

static bool go_until(Stepper *s, const Option *o)
{
    Text at = {0};
    if (strcmp(o->value, "inner") != 0 && !call_rule(s->c, o->value, o->span))
        return false;
    place_print(&at, &s->x->at);
    bool ok = cursor_until(&s->at, o->value) ||
              call_fail(s->c, o->span, "usage", "step=0 is the start",
                        "no step of %s comes after step %s", o->value, text_str(&at));
    text_free(&at);
    return ok;
}

/* From where this left off. */
static bool show_one(Stepper *s, const Option *step, const Option *rule)
{
    if (step && rule)
        return call_fail(s->c, rule->span, "usage", NULL, "give either step= or until=");
    exploration_things(s->x);
    cursor_goto(&s->at, &s->x->at);
    bool one = step && (*step->value == '+' || *step->value == '-');
    bool ok = rule  ? go_until(s, rule)
              : one ? move_one(s, step, *step->value == '+')
                    : go_to(s, step);
    return ok && show_position(s);
}

bool command_step(Call *c)
{
    const Option *step = call_option(c, "step"), *rule = call_option(c, "until");
    Exploration *x = call_explore(c);
    if (!x)
        return false;
    Stepper s;
    stepper_init(&s, c, x);
    if (step || rule)
        return show_one(&s, step, rule);
    return c->r->json || !term_is_interactive() ? print_all(&s, call_choice(c, "inner", 1) == 0)
                                                : interact(&s);
}
