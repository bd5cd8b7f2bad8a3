/* Walking through steps at the prompt; see stepper.h. */
#include "repl/commands/stepper.h"

#include "repl/terminal/colors.h"

void stepper_init(Stepper *s, Call *c, Exploration *x)
{
    *s = (Stepper){.c = c, .x = x, .at = cursor_at_start(x), .began = now_seconds()};
}

static bool put_state(Stepper *s, Text *out, StepShown what, Marks marks)
{
    StepShow show = {&s->at, repl_width(s->c->r), marks, s->sought};
    return step_put_state(&show, out, what) ||
           call_fail(s->c, s->c->span, "replay", NULL, "the steps cannot be replayed");
}

static void put_head(Stepper *s, Text *out)
{
    step_put_head(&(StepShow){.at = &s->at, .width = repl_width(s->c->r)}, out);
}

bool stepper_find_state(Stepper *s, const char *text)
{
    bool found = step_find_state(&(StepShow){.at = &s->at, .width = repl_width(s->c->r)}, text);
    s->sought = found ? text : NULL;
    return found;
}

bool stepper_put(Stepper *s, Text *out, StepShown what)
{
    Text state = {0};
    Marks marks = call_marks(s->c);
    put_head(s, out);
    bool ok = put_state(s, &state, what, marks);
    put_colored(out, text_str(&state), what == SHOW_GRAPH && marks == MARKS_COLOR);
    text_free(&state);
    return ok;
}

bool stepper_json(Stepper *s)
{
    Report *r = &s->c->report;
    Text step = {0}, plain = {0}, marked = {0}, change = {0};
    Place at;
    put_head(s, &step);
    bool ok = put_state(s, &plain, SHOW_EXPRESSIONS, MARKS_NONE) &&
              put_state(s, &marked, SHOW_EXPRESSIONS, MARKS_SIGNS) &&
              (!cursor_step(&s->at) || put_state(s, &change, SHOW_CHANGE, MARKS_NONE));
    cursor_place(&s->at, &at);
    report_say(r, "{=step}{=place}{=text}{=state}{=marked}{=change}", int_of(at.at[0]),
               text_of(report_place(r, &at).shown), text_built(r, &step), text_built(r, &plain),
               text_built(r, &marked), text_built(r, &change));
    return ok;
}
