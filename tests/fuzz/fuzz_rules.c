/* Fuzzer: bytes as a file of rewrite rules; those that are accepted then run on some
 * expressions. */
#include "fuzz.h"

static const char program[] = "x : f64[3] = [0.5, -1, 2]; k : i64 = 3; A = [[1.0, 2], [3, 4]]\n"
                              "log(1 + exp(x)) - x * 0 + sum(x) / (x + x)\n"
                              "A @ A' + A * 2 ^ k\n"
                              "S = scan t over x from s = 0.0 { s[t] = s[t-1] * 2 + x[t] }\n"
                              "grad(S[-1], x) + where(x > 0, -(-x), abs(x))\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FuzzAlarm alarm;
    Session s;
    fuzz_alarm_start(&alarm, 0.5);
    fuzz_session_init(&s, &alarm);
    s.options.allowed = 0xff;
    const Source *src = session_source(&s, "fuzz.rules", (const char *)data, size);
    bool ok = ruleset_add_text(session_own_rules(&s), src, "canonicalize", &s.diags);
    if (!ok && !s.diags.errors)
        die("rules were refused without an error");
    fuzz_check_diags(&s);
    diags_clear(&s.diags);
    fuzz_run(&s, program, strlen(program));
    fuzz_alarm_stop(&alarm);
    session_free(&s);
    return 0;
}
