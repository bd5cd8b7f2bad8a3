/* The program `gradus`: options, what to run, exit status.
 *
 * Files run first, then the statements of -e, then stdin if it is no terminal and
 * neither was given; the prompt if it is one.  Exit status: 0 fine, 1 an error in the
 * program, 2 usage, 3 a file that cannot be read or written or no memory, 70 a bug,
 * 130 interrupted. */
#include "repl/documents/check.h"
#include "repl/documents/command_line.h"
#include "repl/documents/impact.h"
#include "repl/documents/weave.h"
#include "repl/prompt/prompt.h"
#include "repl/teach/lesson.h"
#include "repl/teach/record.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

typedef struct {
    VEC(char *) files;
    VEC(char *) statements;
    bool json, interactive, no_init, check, bless;
    char *out;            /* of weave */
    char *seed, *record;  /* of learn */
    const char *job;      /* "test", "weave", ..., or NULL */
    char *const *command; /* what follows `--` of reduce, or NULL */
    bool help, version, language, man;
    const char *completion; /* the shell, or NULL */
    ColorMode color;
} Arguments;

/* ---- options ---- */

static int usage(const char *fmt, const char *what)
{
    fflush(stdout);
    fputs("gradus: ", stderr);
    fprintf(stderr, fmt, what); /* a format of this file */
    fputs("\ntry `gradus --help`\n", stderr);
    return EXIT_USAGE;
}

static int option_find(const char *arg)
{
    size_t n = strncmp(arg, "--", 2) == 0 ? strcspn(arg, "=") : strlen(arg);
    for (size_t i = 0; i < program_option_count; i++)
        if (strlen(program_options[i].name) == n && strncmp(arg, program_options[i].name, n) == 0)
            return (int)i;
    return -1;
}

static int option_set(Arguments *o, OptionId id, char *value)
{
    switch (id) {
    case OPT_STATEMENT: vec_push(&o->statements, value); break;
    case OPT_INTERACTIVE: o->interactive = true; break;
    case OPT_JSON: o->json = true; break;
    case OPT_NO_INIT: o->no_init = true; break;
    case OPT_OUT: o->out = value; break;
    case OPT_CHECK: o->check = true; break;
    case OPT_BLESS: o->bless = true; break;
    case OPT_SEED: o->seed = value; break;
    case OPT_RECORD: o->record = value; break;
    case OPT_VERSION: o->version = true; break;
    case OPT_LANGUAGE: o->language = true; break;
    case OPT_MAN: o->man = true; break;
    case OPT_COMPLETION: o->completion = value; break;
    case OPT_HELP: o->help = true; break;
    case OPT_COLOR:
        if (!term_color_mode(value, &o->color))
            return usage("--color is auto, always or never, not %s", value);
        break;
    }
    return EXIT_FINE;
}

/* One option and its value; *i moves past them. */
static int option_read(Arguments *o, int argc, char **argv, int *i)
{
    char *arg = argv[*i], *value = NULL;
    int k = option_find(strcmp(arg, "-h") == 0 ? "--help" : arg);
    if (k < 0)
        return usage("there is no option %s", arg);
    char *equals = strncmp(arg, "--", 2) == 0 ? strchr(arg, '=') : NULL;
    if (program_options[k].word && equals)
        value = equals + 1;
    else if (program_options[k].word && *i + 1 < argc)
        value = argv[++*i];
    else if (program_options[k].word)
        return usage("%s needs a value", program_options[k].name);
    else if (equals)
        return usage("%s takes no value", program_options[k].name);
    return option_set(o, program_options[k].id, value);
}

static bool is_job(const Arguments *o, const char *name) { return o->job && !strcmp(o->job, name); }

static bool is_report(const Arguments *o)
{
    return is_job(o, "learn") && o->files.len > 1 && !strcmp(o->files.at[1], "report");
}

/* Does it only print something about the program? */
static bool tells_only(const Arguments *o)
{
    return o->help || o->version || o->language || o->man || o->completion;
}

/* Does what is given go with the job? */
static int check_job(const Arguments *o)
{
    bool weave_it = is_job(o, "weave"), export_it = is_job(o, "export");
    bool writes = weave_it || export_it || is_job(o, "reduce");
    if (!weave_it && o->check)
        return usage("%s is for weave", "--check");
    if (!is_job(o, "test") && o->bless)
        return usage("%s is for test", "--bless");
    if (!is_job(o, "learn") && (o->seed || o->record))
        return usage("%s is for learn", o->seed ? "--seed" : "--record");
    if (!writes && o->out)
        return usage("%s is for weave, export and reduce", "-o");
    if (!o->job || tells_only(o))
        return EXIT_FINE;
    bool diff_it = is_job(o, "diff"), reduce_it = is_job(o, "reduce"),
         data = diff_it || reduce_it || is_job(o, "impact");
    if (o->statements.len || o->interactive || (o->json && !data))
        return usage(data ? "%s takes no -e or -i" : "%s takes no -e, -i or --json", o->job);
    if (reduce_it && (o->files.len != 3 || !o->command || !o->command[0]))
        return usage("%s needs a file, an expression of it and, after --, a command", o->job);
    if (diff_it && o->files.len < 5)
        return usage("%s needs a file, an expression of it, another file and its expression",
                     o->job);
    for (size_t i = 5; diff_it && i < o->files.len; i++)
        if (!strchr(o->files.at[i], '='))
            return usage("%s: after the two graphs come options of :diff, KEY=VALUE", o->job);
    if (weave_it && (o->files.len != 2 || !o->out))
        return usage("%s needs one page and -o OUT.md", o->job);
    if (export_it && (o->files.len < 3 || !o->out))
        return usage("%s needs a file, a name and -o FILE", o->job);
    for (size_t i = 3; export_it && i < o->files.len; i++)
        if (!strchr(o->files.at[i], '='))
            return usage("%s: after the file and the name come options of :export, KEY=VALUE",
                         o->job);
    if (is_job(o, "test") && o->files.len < 2)
        return usage("%s needs files", o->job);
    if (is_report(o) && o->files.len < 3)
        return usage("%s report needs the files that --record wrote", o->job);
    if (is_job(o, "learn") && !is_report(o) && o->files.len > 2)
        return usage("%s takes one lesson", o->job);
    return EXIT_FINE;
}

static bool names_job(const char *word)
{
    for (size_t i = 0; i < program_use_count; i++)
        if (*program_uses[i].job && strcmp(program_uses[i].job, word) == 0)
            return true;
    return false;
}

static int options_read(Arguments *o, int argc, char **argv)
{
    bool only_files = false;
    if (argc > 1 && names_job(argv[1]))
        o->job = argv[1];
    for (int i = 1; i < argc; i++) {
        int status = EXIT_FINE;
        if (only_files || argv[i][0] != '-' || !argv[i][1])
            vec_push(&o->files, argv[i]);
        else if (strcmp(argv[i], "--") == 0 && is_job(o, "reduce"))
            o->command = argv + i + 1, argc = i;
        else if (strcmp(argv[i], "--") == 0)
            only_files = true;
        else
            status = option_read(o, argc, argv, &i);
        if (status != EXIT_FINE)
            return status;
    }
    return check_job(o);
}

/* ---- running ---- */

/* The init file, if there is one; the caller frees it. */
static char *init_file(void)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    Text path = {0};
    if (config && *config == '/')
        text_printf(&path, "%s/gradus/init.gr", config);
    else if (home && *home)
        text_printf(&path, "%s/.config/gradus/init.gr", home);
    if (path.len && access(text_str(&path), F_OK) == 0)
        return text_take(&path);
    text_free(&path);
    return NULL;
}

/* A file, or stdin ("-"). A ^C that came while it was read, before any statement, is one too. */
static void run_file(Repl *r, const char *path)
{
    repl_run_file(r, path, (Span){0});
    repl_report(r);
    if (term_take_interrupt())
        r->interrupted = true;
}

static void run_all(Repl *r, const Arguments *o)
{
    bool given = o->files.len || o->statements.len;
    bool prompt = o->interactive || (!given && term_is_tty(STDIN_FILENO));
    char *init = prompt && !o->no_init ? init_file() : NULL;
    r->init = init;
    repl_run_init(r);
    for (size_t i = 0; i < o->files.len && !r->quit && !r->interrupted; i++)
        run_file(r, o->files.at[i]);
    for (size_t i = 0; i < o->statements.len && !r->quit && !r->interrupted; i++) {
        char name[32];
        snprintf(name, sizeof name, "-e %zu", i + 1);
        repl_run_text(r, name, o->statements.at[i], strlen(o->statements.at[i]));
    }
    if (!given && !prompt)
        run_file(r, "-");
    if (prompt && !r->quit && !r->interrupted) {
        repl_prompt(r);
        if (!r->quit)
            r->status = EXIT_FINE; /* what went wrong was seen */
    }
    r->init = NULL;
    free(init);
}

/* Data that did not reach its place is an error. */
static int finish(int status)
{
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    if (failed && status == EXIT_FINE) {
        fprintf(stderr, "gradus: cannot write: %s\n", strerror(errno));
        return EXIT_IO;
    }
    return status;
}

/* A lesson, or the list of them. */
static void run_lesson(Repl *r, const Arguments *o)
{
    const char *what = o->files.len > 1 ? o->files.at[1] : NULL;
    size_t n = what ? strlen(what) : 0;
    bool file = what && (strchr(what, '/') || (n > 3 && strcmp(what + n - 3, ".md") == 0));
    Text line = {0};
    text_put(&line, ":learn");
    text_put(&line, file ? " \"" : what ? " " : "");
    for (const char *s = what; s && *s; s++)
        text_printf(&line, "%s%c", file && strchr("\"\\", *s) ? "\\" : "", *s);
    text_put(&line, file ? "\"" : "");
    prompt_open(r);
    r->at_prompt = true; /* who answers is at the terminal, or on standard input */
    repl_run_text(r, "learn", text_str(&line), line.len);
    line_close(r->line);
    r->line = NULL;
    text_free(&line);
}

static int run_program(const Arguments *o)
{
    Repl r;
    if (!repl_init(&r)) {
        repl_report(&r);
        die("the embedded prelude or rules are broken");
    }
    r.json = o->json;
    r.tutor = repl_tutor;
    r.seed = o->seed;
    r.record = o->record;
    repl_set_color(&r, o->color);
    if (is_job(o, "learn"))
        run_lesson(&r, o);
    else
        run_all(&r, o);
    int status = r.interrupted && !r.quit ? EXIT_INTERRUPTED : r.status;
    repl_free(&r);
    return finish(status);
}

/* Reads a program; what it prints is not shown. */
static void run_quietly(Repl *r, const char *path)
{
    fflush(stdout);
    int out = dup(STDOUT_FILENO), nothing = open("/dev/null", O_WRONLY);
    if (nothing >= 0)
        dup2(nothing, STDOUT_FILENO);
    repl_run_file(r, path, (Span){0});
    repl_report(r);
    fflush(stdout);
    if (out >= 0)
        dup2(out, STDOUT_FILENO);
    close(out);
    close(nothing);
}

static void open_repl(Repl *r, const Arguments *o)
{
    if (!repl_init(r))
        die("the embedded prelude or rules are broken");
    repl_set_color(r, o->color);
}

/* gradus export FILE.gr NAME -o F: the file, quietly, then :export NAME F. */
static int export_file(const Arguments *o)
{
    Repl r;
    Text command = {0};
    open_repl(&r, o);
    run_quietly(&r, o->files.at[1]);
    text_printf(&command, ":export %s \"%s\"", o->files.at[2], o->out);
    for (size_t i = 3; i < o->files.len; i++)
        text_printf(&command, " %s", o->files.at[i]);
    if (r.status == EXIT_FINE)
        repl_run_text(&r, "export", text_str(&command), command.len);
    text_free(&command);
    int status = r.interrupted && !r.quit ? EXIT_INTERRUPTED : r.status;
    repl_free(&r);
    return finish(status);
}

static void put_quoted(Text *out, const char *s)
{
    text_putc(out, '"');
    for (; *s; s++)
        text_printf(out, "%s%c", strchr("\"\\", *s) ? "\\" : "", *s);
    text_putc(out, '"');
}

/* gradus diff F.gr A G.gr B: :diff of the two. As of diff(1): 1 says that they differ, so what is
 * wrong in a program is told by 2. */
static int diff_files(const Arguments *o)
{
    Repl r;
    Text command = {0};
    open_repl(&r, o);
    r.json = o->json;
    text_put(&command, ":diff ");
    for (size_t i = 1; i < 5; i += 2) {
        put_quoted(&command, o->files.at[i]);
        text_printf(&command, " %s%s", o->files.at[i + 1], i == 1 ? ", " : "");
    }
    for (size_t i = 5; i < o->files.len; i++)
        text_printf(&command, " %s", o->files.at[i]);
    repl_run_text(&r, "diff", text_str(&command), command.len);
    text_free(&command);
    int status = r.interrupted              ? EXIT_INTERRUPTED
                 : r.status == EXIT_PROGRAM ? EXIT_USAGE
                 : r.status != EXIT_FINE    ? r.status
                                            : (int)r.differs;
    repl_free(&r);
    return finish(status);
}

/* gradus reduce F.gr EXPR -- COMMAND: the file, quietly, then :reduce with the command as what
 * judges. 1 says that it does not hold for the whole. */
static int reduce_file(const Arguments *o)
{
    Repl r;
    Text command = {0};
    open_repl(&r, o);
    r.judge = o->command;
    run_quietly(&r, o->files.at[1]);
    text_printf(&command, ":reduce %s while command", o->files.at[2]);
    if (o->out) {
        text_putc(&command, ' ');
        put_quoted(&command, o->out);
    }
    r.json = o->json;
    if (r.status == EXIT_FINE && !r.interrupted)
        repl_run_text(&r, "reduce", text_str(&command), command.len);
    text_free(&command);
    int status = r.interrupted              ? EXIT_INTERRUPTED
                 : r.unmet                  ? EXIT_PROGRAM
                 : r.status == EXIT_PROGRAM ? EXIT_USAGE
                                            : r.status;
    repl_free(&r);
    return finish(status);
}

/* NULL: it is not a page, or cannot be read. */
static char *page_text(const char *path, size_t *len)
{
    const char *dot = strrchr(path, '.');
    ReadLimits limits = {.most = 1 << 26, .text = true, .interrupt = term_interrupt_flag()};
    return dot && !strcmp(dot, ".md") ? read_file(path, len, &limits) : NULL;
}

/* A page with questions is also tried as a lesson: its answers, and that no mistake is right. A
 * file that cannot be read is left to the job. */
static int try_lessons(const Arguments *o)
{
    bool color = term_color(o->color, STDERR_FILENO);
    int status = EXIT_FINE;
    for (size_t i = 1; i < o->files.len; i++) {
        const char *path = o->files.at[i];
        size_t len = 0;
        char *text = page_text(path, &len);
        if (text && !lesson_try(path, text, len, color))
            status = term_interrupted() ? EXIT_INTERRUPTED : EXIT_PROGRAM;
        free(text);
    }
    return status;
}

static int weave_page(const Arguments *o)
{
    size_t len = 0;
    char *text = page_text(o->files.at[1], &len);
    WeaveOptions options = {
        .in = o->files.at[1], .out = o->out, .check = o->check, .color = o->color};
    int status = lesson_weave(&options, text ? text : "", text ? len : 0);
    free(text);
    return status;
}

/* The job itself is done in any case, so that all mistakes are seen at once; but a page that is not
 * right as a lesson is not written. */
static int run_on_pages(const Arguments *o)
{
    int tried = try_lessons(o), status = EXIT_FINE;
    if (is_job(o, "test"))
        status = check_files((int)o->files.len - 1, o->files.at + 1, o->bless);
    else if (tried == EXIT_FINE)
        status = weave_page(o);
    return finish(tried != EXIT_FINE ? tried : status);
}

static int run_job(const Arguments *o)
{
    if (is_job(o, "test") || is_job(o, "weave"))
        return run_on_pages(o);
    if (is_report(o))
        return finish(learn_report(o->files.len - 2, o->files.at + 2));
    if (is_job(o, "export"))
        return export_file(o);
    if (is_job(o, "diff"))
        return diff_files(o);
    if (is_job(o, "reduce"))
        return reduce_file(o);
    if (is_job(o, "impact"))
        return finish(impact((int)o->files.len - 1, o->files.at + 1, o->json, o->color));
    return run_program(o);
}

static int tell(const Arguments *o)
{
    Text out = {0};
    int status = EXIT_FINE;
    if (o->help)
        program_help(&out);
    else if (o->version)
        text_put(&out, "gradus " GRADUS_VERSION "\n");
    else if (o->language)
        language_print();
    else if (o->man)
        program_man(&out);
    else if (!program_completion(&out, o->completion))
        status = usage("--completion is for bash, zsh or fish, not %s", o->completion);
    fputs(text_str(&out), stdout);
    text_free(&out);
    return finish(status);
}

int main(int argc, char **argv)
{
    Arguments o = {0};
    int status = options_read(&o, argc, argv);
    if (status == EXIT_FINE && tells_only(&o)) {
        status = tell(&o);
    } else if (status == EXIT_FINE) {
        term_catch_signals();
        status = run_job(&o);
    }
    vec_free(&o.files);
    vec_free(&o.statements);
    return status;
}
