/* One question: what is typed while it is pending.
 *
 * Invariant: what is neither a word of lessons nor an answer runs as at the prompt. */
#include "repl/teach/player.h"

#include "repl/commands/show.h"

static const struct {
    const char *words; /* blank-separated */
    Turn move;         /* TURN_STAY: see below */
} moves[] = {{"back previous", TURN_BACK},
             {"again repeat", TURN_AGAIN},
             {"start restart", TURN_START},
             {"quit exit bye", TURN_LEAVE}};

static bool word_in(const char *word, const char *list)
{
    size_t n = strlen(word);
    for (const char *s = list; n && *s; s += *s == ' ') {
        size_t k = strcspn(s, " ");
        if (k == n && strncmp(s, word, n) == 0)
            return true;
        s += k;
    }
    return false;
}

/* ---- hints and what is told ---- */

static void hint(Player *p)
{
    const Question *q = &p->asked->question;
    char before[48];
    if (p->hints == q->hints.len) {
        player_say(p, q->hints.len
                          ? "No more hints. Type `skip` to see the answer.\n"
                          : "There is no hint. Try an answer, or type `skip` to see it.\n");
        return;
    }
    if (q->hints.len > 1)
        snprintf(before, sizeof before, "Hint %zu of %zu: ", p->hints + 1, q->hints.len);
    else
        snprintf(before, sizeof before, "Hint: ");
    recorder_hint(p);
    player_show(p, before, q->hints.at[p->hints++]);
}

static void words_of_lessons(Player *p)
{
    player_say(p, "%s",
               p->asked ? "Type an answer: a number, or any expression that has its value.\n"
                          "Enter or hint: a hint      skip: the answer    back: a screen back\n"
                          "again: this screen again   start: start over   quit: leave the lesson\n"
                          "Everything else works as at the prompt; `:help` lists the commands.\n"
                        : "Enter goes on.             back: a screen back\n"
                          "again: this screen again   start: start over   quit: leave the lesson\n"
                          "Everything else works as at the prompt; `:help` lists the commands.\n");
}

/* What is said when the question is done, and the statements that show it. */
static void close_question(Player *p)
{
    const Question *q = &p->asked->question;
    for (size_t i = 0; i < q->right.len; i++)
        player_show(p, "", q->right.at[i]);
    p->asked = NULL;
    for (size_t i = 0; i < q->shows.len; i++)
        player_run(p, q->shows.at[i], 0);
}

static Turn tell_answer(Player *p)
{
    const Answer *a = &p->asked->answer;
    player_say(p, "The answer is %s\n", a->text ? a->text : "not known");
    p->told++;
    recorder_skip(p);
    close_question(p);
    return TURN_NEXT;
}

/* ---- judging ---- */

static void say_why(Player *p)
{
    const Question *q = &p->asked->question;
    const Answer *a = &p->asked->answer;
    bool boolean = a->values && a->n == 1 && a->values[0]->dtype == DT_BOOL;
    p->tries++;
    switch (p->mark) {
    case MARK_NEAR:
        player_say(p, "Nearly: give more digits, or an expression such as 1/3.\n");
        break;
    case MARK_HERE:
        player_say(
            p,
            "That is its value now. The question asks for a formula that holds for any input.\n");
        break;
    case MARK_SHAPE: player_say(p, "No: the answer has another shape.\n"); break;
    case MARK_KIND:
        player_say(p, boolean ? "No: the answer is true or false.\n"
                              : "No: the answer is another kind of thing.\n");
        break;
    default:
        player_say(p, p->tries == 1 && q->hints.len ? "No. Try again; Enter gives a hint.\n"
                      : p->tries > 2                ? "No. Type `skip` to see the answer.\n"
                                                    : "No. Try again.\n");
    }
}

static Turn react(Player *p)
{
    p->judged = false;
    if (p->mark == MARK_RIGHT) {
        if (p->asked->question.kind != ASK_DERIVE)
            player_say(p, "Right.\n");
        p->answered++;
        recorder_right(p);
        close_question(p);
        return TURN_NEXT;
    }
    const Part *reply = p->mistake >= 0 ? &p->asked->question.wrong.at[p->mistake].text : NULL;
    if (reply || !p->looking)
        recorder_wrong(p, reply);
    if (p->asked->question.kind == ASK_DERIVE)
        return TURN_STAY; /* it has been said why */
    if (reply)
        player_show(p, "No. ", p->asked->question.wrong.at[p->mistake].text);
    else if (p->looking)
        player_say(p, "(That is not the answer.)\n");
    else
        say_why(p);
    return TURN_STAY;
}

/* A type or a rule; false: it does not look like one. */
static bool try_words(Player *p, const char *typed)
{
    const Item *item = p->asked;
    const Question *q = &item->question;
    bool rule = q->kind == ASK_STEP,
         plain = typed[strspn(typed, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
    if (rule ? !plain || entry_defined(p, typed) || word_in(typed, "help")
             : q->kind != ASK_TYPE || !answer_is_type(typed))
        return false;
    p->judged = true;
    p->looking = false;
    p->mistake = -1;
    p->mark = answer_to_words(&item->answer, q, typed) ? MARK_RIGHT : MARK_WRONG;
    for (size_t k = 0; k < q->wrong.len && p->mark == MARK_WRONG && p->mistake < 0; k++)
        if (answer_to_words(&item->mistakes[k], q, typed))
            p->mistake = (int)k;
    if (rule && p->mark == MARK_WRONG && !rule_by_name(p->session.s.rules, typed))
        player_say(p, "There is no rule of that name. ");
    return true;
}

static void on_result(void *ctx, Result *res)
{
    Player *p = ctx;
    const Item *item = p->asked;
    bool answer = item && !res->definition && p->session.at_prompt &&
                  (res->kind == RESULT_VALUE || res->kind == RESULT_GRAPH);
    const Question *q = answer ? &item->question : NULL;
    if (answer && q->kind == ASK_DERIVE) {
        p->judged = true;
        p->mark = derive_line(p, res) ? MARK_RIGHT : MARK_WRONG;
        return;
    }
    if (!answer || !p->literal)
        show_result(&p->session, res);
    if (!answer)
        return;
    p->judged = true;
    p->mistake = -1;
    if (q->kind == ASK_TYPE || q->kind == ASK_STEP) {
        p->mark = MARK_WRONG;
        player_say(p, q->kind == ASK_TYPE
                          ? "A type is written f64[3], a shape [3], of a number []. "
                          : "A rule is answered by its name. ");
        return;
    }
    p->mark = answer_to_result(&item->answer, q, &p->session, res);
    for (size_t k = 0; k < q->wrong.len && p->mark != MARK_RIGHT && p->mistake < 0; k++)
        if (answer_to_result(&item->mistakes[k], q, &p->session, res) == MARK_RIGHT)
            p->mistake = (int)k;
}

/* ---- what is typed ---- */

static bool is_literal(const Expr *e)
{
    if (e->kind == E_TUPLE || e->kind == E_ARRAY || (e->kind == E_UNARY && e->op == AST_NEG)) {
        for (int i = 0; i < e->nitems; i++)
            if (!is_literal(e->items[i]))
                return false;
        return true;
    }
    return e->kind == E_INT || e->kind == E_FLOAT || e->kind == E_BOOL;
}

/* A name, or a part of what it stands for: it was perhaps only looked at. */
static bool is_name(const Expr *e)
{
    while (e->kind == E_FIELD || e->kind == E_INDEX)
        e = e->items[0];
    return e->kind == E_NAME;
}

/* Looks at an entry before it runs: is it one plain number, does it change anything? */
static void look_at(Player *p, const char *entry, bool *defines, bool *changes)
{
    Source src = entry_source(entry);
    Arena arena = {0};
    Diags diags = {0};
    Parser parser;
    Stmt *stmt;
    int count = 0;
    *defines = *changes = p->literal = p->looking = false;
    parser_init(&parser, &src, &arena, &diags, true);
    while (parse_statement(&parser, &stmt) == PARSE_OK) {
        p->literal = count++ == 0 && stmt->kind == S_EXPR && is_literal(stmt->value);
        p->looking = stmt->kind == S_EXPR && is_name(stmt->value);
        *defines = *defines || (stmt->kind != S_EXPR && stmt->kind != S_COMMAND);
        *changes = *changes || stmt->kind != S_EXPR;
    }
    diags_free(&diags);
    arena_free(&arena);
}

static Turn run_typed(Player *p, const char *entry)
{
    Repl *s = &p->session;
    char *meant = p->host->meant(s, entry), name[32];
    const char *text = meant ? meant : entry;
    bool defines, changes;
    look_at(p, text, &defines, &changes);
    snprintf(name, sizeof name, "<input %u>", ++s->entries);
    s->status = EXIT_FINE;
    s->interrupted = false;
    s->listener = (Listener){.ctx = p, .result = on_result};
    s->at_prompt = true;
    p->entry = text;
    repl_run_text(s, name, text, strlen(text));
    p->entry = NULL;
    s->at_prompt = false;
    fflush(stdout);
    p->dirty = p->dirty || changes;
    if (defines && s->status == EXIT_FINE && !s->interrupted)
        vec_push(&p->typed, xstrdup(text));
    free(meant);
    if (s->quit) {
        p->r->quit = true;
        p->r->status = s->status;
    }
    if (s->lesson) {
        p->r->lesson = s->lesson;
        p->r->lesson_file = s->lesson_file;
        s->lesson_file = NULL;
        s->lesson = 0;
    }
    if (s->quit || p->r->lesson)
        return TURN_LEAVE;
    return p->judged ? react(p) : TURN_STAY;
}

static char *trimmed(const char *s)
{
    Text t = {0};
    s += strspn(s, " \t\r\n");
    size_t n = strlen(s);
    while (n && strchr(" \t\r\n;", s[n - 1]))
        n--;
    text_putn(&t, s, n);
    return text_take(&t);
}

/* "yes" where the answer is true or false. */
static const char *as_bool(Player *p, const char *word)
{
    const Answer *a = p->asked ? &p->asked->answer : NULL;
    bool boolean = a && a->values && a->n == 1 && a->values[0]->dtype == DT_BOOL;
    if (!boolean || entry_defined(p, word))
        return word;
    return word_in(word, "yes y Yes True")  ? "true"
           : word_in(word, "no n No False") ? "false"
                                            : word;
}

/* "m[7] = 210", "d_b = 4", "= 210": what stands behind the sign, which is no definition. */
static const char *behind_equals(const char *entry)
{
    size_t n = strcspn(entry, "=<>!:({");
    bool equals = entry[n] == '=' && entry[n + 1] != '=' && entry[n + 1] != '>';
    bool named = n && !memchr(entry, '[', n) && !memchr(entry, '.', n) && strncmp(entry, "d_", 2);
    if (!equals || named)
        return entry;
    entry += n + 1;
    return entry + strspn(entry, " \t");
}

static Turn take_entry(Player *p, const char *entry)
{
    bool own = entry_defined(p, entry);
    if (!*entry && !p->asked)
        return TURN_NEXT;
    if (!*entry || (p->asked && !own && word_in(entry, "hint ? hints"))) {
        hint(p);
        return TURN_STAY;
    }
    if (!own && word_in(entry, "help ?")) {
        words_of_lessons(p);
        return TURN_STAY;
    }
    if (!own && word_in(entry, "skip next"))
        return p->asked ? tell_answer(p) : TURN_NEXT;
    for (size_t i = 0; i < COUNT_OF(moves) && !own; i++)
        if (word_in(entry, moves[i].words))
            return moves[i].move;
    if (p->asked && try_words(p, entry))
        return react(p);
    const char *advice = p->asked && !own ? entry_advice(p, entry) : NULL;
    if (advice) {
        player_say(p, "%s", advice);
        return TURN_STAY;
    }
    return run_typed(p, as_bool(p, p->asked ? behind_equals(entry) : entry));
}

Turn player_ask(Player *p, const Item *item)
{
    Turn move = TURN_STAY;
    p->asked = item;
    p->hints = 0;
    p->tries = 0;
    bool derive = item && item->question.kind == ASK_DERIVE;
    if (derive)
        derive_begin(p);
    while (move == TURN_STAY) {
        const char *prompt = derive ? "line> " : item ? "answer> " : "Enter> ";
        char *typed = p->host->read(p->host->ctx, &p->session, prompt);
        char *entry = typed ? trimmed(typed) : NULL;
        char *plain = entry && item ? entry_plain(entry) : NULL;
        p->typed_now = entry;
        move = entry ? take_entry(p, plain ? plain : entry) : TURN_LEAVE;
        p->typed_now = NULL;
        free(plain);
        free(typed);
        free(entry);
    }
    p->asked = NULL;
    return move;
}
