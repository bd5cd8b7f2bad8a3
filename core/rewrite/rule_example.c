/* Examples of rules.  See rule_example.h. */
#include "rewrite/rule_example.h"

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Does the line go on with this word, and not as a rule of that name would? */
static bool begins(const char *text, size_t at, size_t to, const char *word)
{
    size_t n = strlen(word), after = at + n;
    if (after > to || strncmp(text + at, word, n) != 0 || (after < to && !is_blank(text[after])))
        return false;
    while (after < to && is_blank(text[after]))
        after++;
    return after < to && text[after] != ':';
}

RuleLineKind rule_line(const char *text, size_t *from, size_t to)
{
    static const struct {
        const char *word;
        bool indented;
        RuleLineKind kind;
    } words[] = {{"pass", false, LINE_PASS},
                 {"rule", false, LINE_NAMES_RULE},
                 {"try", true, LINE_TRY},
                 {"not", true, LINE_NOT}};
    bool indented = *from < to && is_blank(text[*from]);
    while (*from < to && is_blank(text[*from]))
        ++*from;
    if (*from == to || text[*from] == '#')
        return LINE_EMPTY;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if ((indented || !words[i].indented) && begins(text, *from, to, words[i].word)) {
            *from += strlen(words[i].word);
            while (*from < to && is_blank(text[*from]))
                ++*from;
            return words[i].kind;
        }
    return LINE_RULE;
}

void rule_add_example(RuleSet *rs, const Rule *r, bool fires, Span text)
{
    RuleExample *e = arena_alloc(&rs->arena, sizeof *e);
    RuleExamples *all = r->examples;
    *e = (RuleExample){.rule = r, .fires = fires, .text = text};
    if (all->last)
        all->last->next = e;
    else
        all->first = e;
    all->last = e;
}

const RuleExample *rule_examples(const Rule *r)
{
    const RuleExample *own = r->examples ? r->examples->first : NULL;
    return own || !rule_is_back(r) ? own : r->back->examples->first;
}
