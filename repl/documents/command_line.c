#include "repl/documents/command_line.h"

#include "repl/commands/commands.h"

const ProgramOption program_options[] = {
    {OPT_STATEMENT, "-e", "STATEMENT", "", "run a statement, after the files; may be given often"},
    {OPT_INTERACTIVE, "-i", NULL, "", "then show the prompt"},
    {OPT_JSON, "--json", NULL, "", "print one JSON object a line"},
    {OPT_COLOR, "--color", "WHEN", "auto always never",
     "colour diagnostics: auto, always or never"},
    {OPT_NO_INIT, "--no-init", NULL, "", "do not run the init file before the prompt"},
    {OPT_OUT, "-o", "FILE", "",
     "weave: the page to write, may be IN.md itself; export, reduce: the file"},
    {OPT_CHECK, "--check", NULL, "",
     "weave: write nothing, fail if the page or a drawing is not as woven now"},
    {OPT_BLESS, "--bless", NULL, "", "test: write what is actual into the files where it differs"},
    {OPT_SEED, "--seed", "NAME", "", "learn: draw the numbers of a lesson from this name"},
    {OPT_RECORD, "--record", "FILE", "", "learn: write what the learner does to this file (JSON)"},
    {OPT_VERSION, "--version", NULL, "", "print the version"},
    {OPT_LANGUAGE, "--language", NULL, "", "print the language reference (Markdown)"},
    {OPT_MAN, "--man", NULL, "", "print the manual page (roff): gradus --man | man -l -"},
    {OPT_COMPLETION, "--completion", "SHELL", "bash zsh fish",
     "print what a shell needs to complete this command line"},
    {OPT_HELP, "--help", NULL, "", "print this"},
};
const size_t program_option_count = COUNT_OF(program_options);

const ProgramUse program_uses[] = {
    {"", "[OPTION...] [FILE...] [-e STATEMENT]... [-i]", "run programs, or show the prompt"},
    {"test", "[--bless] FILE...",
     "check `# => value` and :expect in programs and .md files, `try` and `not` in .rules files"},
    {"weave", "IN.md -o OUT.md [--check]",
     "run the ```gradus blocks of a page and put in what they give"},
    {"learn", "[LESSON|FILE.md|report RECORD...] [--seed NAME] [--record FILE]",
     "play a lesson, list the lessons, or report what learners did in one"},
    {"export", "FILE.gr EXPR -o FILE.c", "write an expression of a program in another language"},
    {"diff", "F.gr EXPR G.gr EXPR [KEY=VALUE...]",
     "what two graphs differ in: exit status 0 the same, 1 they differ, 2 an error in one"},
    {"reduce", "F.gr EXPR [-o SMALL.gr] -- COMMAND...",
     "the smallest program for which COMMAND, given its file, ends with 0 (125: it cannot tell)"},
    {"impact", "[F.rules] [off=RULE,...] FILE|DIR...",
     "what rules change over programs: exit status 0 nothing, 1 something, 2 an error in one"},
};
const size_t program_use_count = COUNT_OF(program_uses);

const ProgramStatus program_statuses[] = {
    {0, "fine"},
    {1, "an error in the program"},
    {2, "usage"},
    {3, "a file that cannot be read or written or no memory"},
    {70, "a bug of gradus"},
    {130, "interrupted"},
};
const size_t program_status_count = COUNT_OF(program_statuses);

static const char *blank_of(const ProgramOption *o)
{
    return !o->word ? "" : o->name[1] == '-' ? "=" : " ";
}

static void put_option(Text *out, const ProgramOption *o)
{
    text_printf(out, "%s%s%s", o->name, blank_of(o), o->word ? o->word : "");
}

/* ---- --help ---- */

void program_help(Text *out)
{
    for (size_t i = 0; i < program_use_count; i++) {
        const ProgramUse *u = &program_uses[i];
        text_printf(out, "%s gradus %s%s%s\n", i ? "      " : "usage:", u->job, *u->job ? " " : "",
                    u->args);
        if (*u->job)
            text_printf(out, "%31s %s\n", "", u->doc);
    }
    text_put(out,
             "\nRuns the files, then the statements; without either what comes on standard\n"
             "input, or the prompt if that is a terminal.  A FILE of - is standard input.\n\n");
    for (size_t i = 0; i < program_option_count; i++) {
        Text left = {0};
        put_option(&left, &program_options[i]);
        text_printf(out, "  %-18s %s\n", text_str(&left), program_options[i].doc);
        text_free(&left);
    }
    text_put(out, "\nExit status:\n");
    for (size_t i = 0; i < program_status_count; i++)
        text_printf(out, "  %-18d %s\n", program_statuses[i].status, program_statuses[i].doc);
}

/* ---- gradus(1) ---- */

/* Text for troff: a backslash, a hyphen that is one, a dot or quote at the begin of a line. */
static void put_roff(Text *out, const char *s)
{
    bool first = !out->len || text_str(out)[out->len - 1] == '\n';
    for (; *s; s++, first = s[-1] == '\n') {
        if (first && (*s == '.' || *s == '\''))
            text_put(out, "\\&");
        if (*s == '\\')
            text_put(out, "\\e");
        else if (*s == '-')
            text_put(out, "\\-");
        else if (*s == '`')
            text_put(out, "\\(ga");
        else if (*s == '^')
            text_put(out, "\\(ha");
        else if (*s == '~')
            text_put(out, "\\(ti");
        else
            text_putc(out, *s);
    }
}

static void put_tagged(Text *out, const char *bold, const char *more, const char *doc)
{
    text_put(out, ".TP\n\\fB");
    put_roff(out, bold);
    text_put(out, "\\fR");
    put_roff(out, more);
    text_putc(out, '\n');
    put_roff(out, doc);
    text_putc(out, '\n');
}

static void man_options(Text *out)
{
    text_put(out, ".SH OPTIONS\n");
    for (size_t i = 0; i < program_option_count; i++) {
        const ProgramOption *o = &program_options[i];
        Text word = {0};
        text_printf(&word, "%s%s", blank_of(o), o->word ? o->word : "");
        put_tagged(out, o->name, text_str(&word), o->doc);
        text_free(&word);
    }
}

/* Each with its first line of help; the rest is :help NAME. */
static void man_commands(Text *out)
{
    text_put(out, ".SH COMMANDS\nAt the prompt and in programs, a line each; unique beginnings of "
                  "their names are "
                  "enough.\n.B :help\n.I NAME\ntells all about one.\n");
    for (size_t i = 0; i < command_count; i++) {
        Text name = {0}, args = {0};
        text_printf(&name, ":%s", commands[i].name);
        text_printf(&args, "%s%s", *commands[i].args ? " " : "", commands[i].args);
        put_tagged(out, text_str(&name), text_str(&args), commands[i].help);
        text_free(&name);
        text_free(&args);
    }
}

static void man_surroundings(Text *out)
{
    static const char *const files[][2] = {
        {"$XDG_CONFIG_HOME/gradus/init.gr", "runs before the prompt; without that variable it is "
                                            "in ~/.config"},
        {"$XDG_STATE_HOME/gradus/history", "what was typed at the prompt; without that variable it "
                                           "is in ~/.local/state"},
    };
    static const char *const variables[][2] = {
        {"NO_COLOR", "if it is set and not empty, nothing is coloured unless --color says so"},
        {"COLUMNS", "the width of tables, where there is no terminal to ask"},
        {"GRADUS_KERNELS",
         "base, avx2 or avx512: the widest vectors that functions are computed with; "
         "the last digits of exp, tanh and other functions depend on it"},
    };
    text_put(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < program_status_count; i++) {
        char status[16];
        snprintf(status, sizeof status, "%d", program_statuses[i].status);
        put_tagged(out, status, "", program_statuses[i].doc);
    }
    text_put(out, ".SH FILES\n");
    for (size_t i = 0; i < COUNT_OF(files); i++)
        put_tagged(out, files[i][0], "", files[i][1]);
    text_put(out, ".SH ENVIRONMENT\n");
    for (size_t i = 0; i < COUNT_OF(variables); i++)
        put_tagged(out, variables[i][0], "", variables[i][1]);
}

static void man_examples(Text *out)
{
    static const char *const examples[][2] = {
        {"gradus", "the prompt; :help there says what to try"},
        {"gradus rnn.gr -e ':draw loss loss.svg'", "run a program, then draw one of its values"},
        {"gradus rnn.gr -e ':steps grad(loss, W)'", "every rewrite step of a derivative"},
        {"echo '1 / 3' | gradus --json", "the value as a JSON object"},
    };
    text_put(out, ".SH EXAMPLES\n");
    for (size_t i = 0; i < COUNT_OF(examples); i++)
        put_tagged(out, examples[i][0], "", examples[i][1]);
}

void program_man(Text *out)
{
    text_put(out, ".TH GRADUS 1 \"\" \"gradus " GRADUS_VERSION "\" \"User Commands\"\n.SH NAME\n"
                  "gradus \\- a small language for tensor graphs with scan, until and grad\n"
                  ".SH SYNOPSIS\n");
    for (size_t i = 0; i < program_use_count; i++) {
        const ProgramUse *u = &program_uses[i];
        text_printf(out, "%s.B gradus%s%s\n", i ? ".br\n" : "", *u->job ? " " : "", u->job);
        put_roff(out, u->args);
        text_putc(out, '\n');
    }
    text_put(out, ".SH DESCRIPTION\nRuns the files, then the statements; without either what comes "
                  "on standard input, or the prompt if that is a terminal. A file of \\- is "
                  "standard input. It evaluates tensor programs with loops and their derivatives, "
                  "shows each rewrite step by step, and draws graphs.\n");
    for (size_t i = 0; i < program_use_count; i++)
        if (*program_uses[i].job)
            put_tagged(out, program_uses[i].job, "", program_uses[i].doc);
    man_options(out);
    man_commands(out);
    man_surroundings(out);
    man_examples(out);
    text_put(out,
             ".SH SEE ALSO\nThe language reference: gradus \\-\\-language, or LANGUAGE.md beside "
             "the examples.\n");
}

/* ---- completions ---- */

static void put_names(Text *out, bool jobs)
{
    int n = 0;
    for (size_t i = 0; i < program_use_count && jobs; i++)
        if (*program_uses[i].job)
            text_printf(out, "%s%s", n++ ? " " : "", program_uses[i].job);
    for (size_t i = 0; i < program_option_count && !jobs; i++)
        text_printf(out, "%s%s%s", n++ ? " " : "", program_options[i].name,
                    program_options[i].word && *blank_of(&program_options[i]) == '=' ? "=" : "");
}

static void bash_completion(Text *out)
{
    text_put(
        out,
        "_gradus() {\n    local word=${COMP_WORDS[COMP_CWORD]} name=${COMP_WORDS[COMP_CWORD - 1]} "
        "options jobs=\n    [[ $word != = ]] || word=\n"
        "    [[ $name != = ]] || name=${COMP_WORDS[COMP_CWORD - 2]}\n    options='");
    put_names(out, false);
    text_put(out, "'\n    [[ $COMP_CWORD -ne 1 ]] || jobs='");
    put_names(out, true);
    text_put(out, "'\n    case $name in\n    -e)\n        return\n        ;;\n");
    for (size_t i = 0; i < program_option_count; i++)
        if (*program_options[i].values)
            text_printf(out,
                        "    %s)\n        mapfile -t COMPREPLY < <(compgen -W '%s' -- \"$word\")\n"
                        "        return\n        ;;\n",
                        program_options[i].name, program_options[i].values);
    text_put(out,
             "    esac\n    if [[ $word == -* ]]; then\n"
             "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
             "        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace\n    else\n"
             "        mapfile -t COMPREPLY < <(compgen -W \"$jobs\" -- \"$word\"; compgen -f -- "
             "\"$word\")\n        compopt -o filenames\n    fi\n}\n"
             "complete -F _gradus gradus\n");
}

/* Text inside '..' of a shell, without what has a meaning in a description of zsh. */
static void put_quoted(Text *out, const char *s, const char *without)
{
    for (; *s; s++)
        if (!strchr(without, *s))
            text_put(out, *s == '\'' ? "'\\''" : (char[]){*s, 0});
}

static void zsh_completion(Text *out)
{
    text_put(out, "#compdef gradus\n_arguments -s \\\n");
    for (size_t i = 0; i < program_option_count; i++) {
        const ProgramOption *o = &program_options[i];
        text_printf(out, "    '*%s%s[", o->name, *blank_of(o) == '=' ? "=" : "");
        put_quoted(out, o->doc, "[]:");
        text_put(out, "]");
        if (o->word)
            text_printf(out, ":%s:", o->word);
        if (*o->values)
            text_printf(out, "(%s)", o->values);
        else if (o->word && o->id == OPT_OUT)
            text_put(out, "_files");
        text_put(out, "' \\\n");
    }
    text_put(out, "    '1: :{_alternative \"jobs:job:(");
    put_names(out, true);
    text_put(out, ")\" \"files:file:_files\"}' \\\n    '*:file:_files'\n");
}

static void fish_completion(Text *out)
{
    for (size_t i = 0; i < program_use_count; i++) {
        if (!*program_uses[i].job)
            continue;
        text_printf(out, "complete -c gradus -n __fish_use_subcommand -a %s -d '",
                    program_uses[i].job);
        put_quoted(out, program_uses[i].doc, "'\\");
        text_put(out, "'\n");
    }
    for (size_t i = 0; i < program_option_count; i++) {
        const ProgramOption *o = &program_options[i];
        bool is_long = o->name[1] == '-';
        text_printf(out, "complete -c gradus -%s %s", is_long ? "l" : "s",
                    o->name + (is_long ? 2 : 1));
        if (o->word)
            text_put(out, *o->values || o->id == OPT_STATEMENT ? " -x" : " -r");
        if (*o->values)
            text_printf(out, " -a '%s'", o->values);
        text_put(out, " -d '");
        put_quoted(out, o->doc, "'\\");
        text_put(out, "'\n");
    }
}

bool program_completion(Text *out, const char *shell)
{
    static const struct {
        const char *name;
        void (*put)(Text *out);
    } shells[] = {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}};
    for (size_t i = 0; i < COUNT_OF(shells); i++)
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].put(out);
            return true;
        }
    return false;
}
