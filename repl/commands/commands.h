/* The commands of the prompt: one table (commands.def) drives dispatch, arity, help
 * and completion.
 *
 * Invariant: a command prints nothing itself; it fills its report, which is printed if it returns
 * true.  If it returns false it has added a diagnostic whose
 * caret stands under the command's own text. */
#ifndef GRADUS_COMMANDS_H
#define GRADUS_COMMANDS_H

#include "repl/commands/repl.h"
#include "repl/commands/report.h"
#include "analysis/step_change.h"
#include "rewrite/things.h"

typedef struct Call Call;
struct StepView;

/* What a command is for: the headings of :help. */
typedef enum {
    GROUP_LOOK,
    GROUP_QUESTION,
    GROUP_REWRITE,
    GROUP_VALUES,
    GROUP_DOCUMENTS,
    GROUP_SESSION,
    GROUP_COUNT
} CommandGroup;

typedef struct {
    const char *name;
    CommandGroup group;
    const char *args; /* as shown, and what is taken (arguments.h): "[EXPR] [step=K]" */
    const char *also; /* more of them that `args` has no room for, or "" */
    bool (*run)(Call *c);
    const char *help; /* one line */
    const char *more; /* the rest of :help NAME, or "" */
} Command;

extern const Command commands[];
extern const size_t command_count;

typedef struct {
    const char *key, *value; /* without quotes or brackets around it */
    Span span;               /* of the value */
    int choice;              /* which of the declared values it is; of a switch: is it on? */
    bool size;               /* a key of any name: SIZE=N */
} Option;

/* Steps of a loop, [from, to]. */
typedef struct {
    bool given, open; /* open: "3..", without an end */
    i64 from, to;
} LoopRange;

/* `over X from A to B`. */
typedef struct {
    bool given, range; /* range: with from and to */
    Span x, low, high;
} OverClause;

/* A command being run.  All texts live until it ends. */
struct Call {
    Repl *r;
    const Command *info;
    Span span;  /* ":name rest" */
    Span rest;  /* after the name; what is peeled off is taken away from its end */
    char *text; /* of `rest` */
    char *file;
    Span file_span;
    i64 number; /* %K or N in front, or -1 */
    Span number_span;
    const char *word; /* RULE, or the word of the declaration, in front; or NULL */
    Span word_span;
    OverClause over;
    Option options[32];
    int noptions;
    bool recent;    /* there was no expression: `text` is that of what was explored most recently */
    bool collected; /* the file it made went to the listener: that is all there is to show */
    Text out;
    Text image; /* a picture for the terminal, after it */
    Text data_text;
    Json data; /* inside an object that is open */
    Arena arena;
    Report report; /* what it tells: in `out`, `data` and tables */
};

/* Runs ":word rest"; prints what it gives and its diagnostics. */
void command_run(Repl *r, const Stmt *stmt);
/* The command that `word` names or begins, if it is the only one. Of a statement that was typed,
 * else adds a diagnostic. */
const Command *command_named(Repl *r, const char *word, const Stmt *typed);

/* ---- for the functions of commands ---- */
bool call_fail(Call *c, Span span, const char *code, const char *hint, const char *fmt, ...)
    PRINTF_LIKE(5, 6);
/* False after "KEY= WHY" if one of the keys is given, which do not go with the rest. */
bool call_without_(Call *c, size_t n, const char *const *keys, const char *hint, const char *why);
#define call_without(c, keys, hint, why) call_without_((c), COUNT_OF(keys), (keys), (hint), (why))
/* "WHAT NAME", and which of the names was perhaps meant, else this hint; false. */
bool call_unknown(Call *c, Span span, const char *what, const char *name, const char *const *names,
                  size_t n, const char *otherwise);
/* Calls `take` for each name of a value "a,b,c", with its place; false as soon as that returns
 * false.
 */
bool call_each_name(Call *c, const Option *o,
                    bool (*take)(Call *c, const char *name, Span span, void *ctx), void *ctx);
/* Writes the file that was asked for, or gives it to the listener; `about` tells of a drawing in a
 * few sentences, or is NULL. False after a diagnostic. */
bool call_put_file(Call *c, const Text *bytes, const char *about);
/* Of a command that takes DIR/: is the file that was asked for a folder?  And a file in it. */
bool call_file_is_folder(const Call *c);
bool call_put_file_in(Call *c, const char *name, const Text *bytes);
/* The value of a key, or NULL. */
const Option *call_option(const Call *c, const char *key);
/* Is the switch on? As declared if it is not given. */
bool call_switch(const Call *c, const char *key);
/* Which of the values that are declared the key has, counted from 0; `fallback`: it is not given.
 */
int call_choice(const Call *c, const char *key, int fallback);
/* A key's value as a whole number of [least, most]; `fallback` if it is not given. false after a
 * diagnostic. */
bool call_number(Call *c, const char *key, i64 fallback, i64 least, i64 most, i64 *out);
/* The same of [0, limit], where the limit is that of this expression. */
bool call_count(Call *c, const char *key, i64 fallback, i64 limit, i64 *out);
/* A key's value as steps of a loop whose last one that is. false after a diagnostic. */
bool call_range(Call *c, const char *key, i64 last, LoopRange *out);
/* The number in front, at most `limit`. false after a diagnostic. */
bool call_positional(Call *c, i64 fallback, i64 limit, i64 *out);
/* The next word of the rest in *word (in c->arena); false at the end. */
bool call_word(Call *c, const char **word, Span *span);
bool call_has_expr(const Call *c);
/* The expression elaborated, or what was explored most recently; NULL after a diagnostic. */
Value *call_value(Call *c);
/* Its nodes (caller frees *roots), or -1. */
int call_roots(Call *c, Node ***roots);
/* It taken through the passes.  NULL after a diagnostic. */
Exploration *call_explore(Call *c);
/* The same where no node is shown: which node of a state is which of the next is not looked for. */
Exploration *call_steps(Call *c);
/* Have all inputs that the roots need a value? false after a diagnostic. */
bool call_has_values(Call *c, int n, Node *const *roots);
/* `A, B`: two tensors of one type. False after a diagnostic. */
bool call_two_sides(Call *c, Node *sides[2]);
/* How the output of the command can show what is marked. */
Marks call_marks(const Call *c);
/* What was switched, as statements that switch it so (commands_session.c). */
void settings_put(const Repl *r, Text *out);
/* Says how the expression is made smaller as long as this condition of :reduce holds. */
void put_reduction(Call *c, const char *condition);
/* ---- times (commands_steps.c) ---- */

Datum report_milliseconds(Report *r, double seconds);

/* ---- steps and states (asked_state.c) ---- */

/* "written at file:3:7: x + 1", a line of it at most; nothing if the place is unknown (NULL). */
void put_written(Call *c, const Span *span);
/* The list of :steps, as pass=, rule=, hide= and open= ask for it. false after a diagnostic. */
bool call_list_steps(Call *c, Exploration *x, bool times);
/* Hides the rules of hide=, and at the end reports how many steps of each were not shown. */
void call_hide_rules(Call *c, struct StepView *v);
void put_hidden(Call *c, const struct StepView *v);
/* The steps behind the first `from` ones, of no pass. */
void call_list_from(Call *c, Exploration *x, u32 from);
/* How many steps lead to the state that pass=NAME or step=K asks for; false after a diagnostic. */
bool call_state(Call *c, const Exploration *x, u32 *k);
/* The same for the one that a pass leaves. */
bool call_state_after_pass(Call *c, const Exploration *x, const Option *o, u32 *k);
/* A key's value as a step, "7" or inside another "9.1"; `fallback` if it is not given. */
bool call_place(Call *c, const Exploration *x, const char *key, u32 fallback, Place *out);
/* The states before and after the steps that step=K..L names; all steps if it is not given. false
 * after a diagnostic. */
bool call_step_range(Call *c, const Exploration *x, Place *before, Place *after);
/* The expression's roots there (caller frees); NULL after a diagnostic about the key. */
Node **call_roots_at(Call *c, Exploration *x, const char *key, const Place *p);

/* A step as a number; "9.1" of one inside another. */
Datum report_place(Report *r, const Place *p);

/* The thing %K that stands in front; NULL after a diagnostic. */
const Thing *call_thing(Call *c, Exploration *x);
/* Why the rule fires nowhere at the start: all places that it might concern, with their reasons
 * (commands_whynot.c). */
void put_whynot(Call *c, Exploration *x, const Rule *k);

/* Where the derivatives that the expression is stop (gradient_stops.c). */
bool whynot_gradient(Call *c);

/* "there is no pass X", with the closest one, or that it does not run; false. */
bool call_unknown_pass(Call *c, const char *name, Span span);
/* open=K where that step has no child steps. Returns false. */
bool call_no_opening(Call *c, const Option *open);

/* A number that :set knows, and what it is where nothing was set. */
typedef struct {
    const char *name;
    double value, usual, most;
} Setting;
/* The k-th one; false after the last. */
bool setting_number(const Repl *r, size_t k, Setting *s);
void setting_put(Repl *r, size_t k, double x); /* which may be what it takes */
/* One that is a word. */
typedef struct {
    const char *name, *usage;
    void (*put)(const Repl *r, Text *out);
    bool (*set)(Repl *r, const char *word); /* false: it is no such word */
    bool data;                              /* it is told in the data */
} WordSetting;
enum { WORD_SETTINGS = 4 };
extern const WordSetting word_settings[WORD_SETTINGS];

/* ---- rules (commands_rules.c) ---- */

/* The rule of that name, or NULL after a diagnostic with the closest one. */
const Rule *call_rule(Call *c, const char *name, Span span);
/* "loops (join)", in c->arena: the pass, and the group of its rules where that is no pass. */
const char *pass_of_rule(Call *c, const Rule *k);
/* "R N+", in c->arena. */
char *classes_text(Call *c, u32 classes);
/* The same, shown in brackets. */
Datum classes_of(Call *c, u32 classes);

/* One function for each row of the table. */
#define C(NAME, ...) bool command_##NAME(Call *c);
#include "repl/commands/commands.def"
#undef C

#endif
