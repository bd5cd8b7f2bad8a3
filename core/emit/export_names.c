/* Names that a variable or function of written C may not have.
 *
 * Invariant: every list is words with a space in between. */
#include "emit/export_write.h"

#include <ctype.h>

static const char keywords[] =
    "asm auto break case char const continue default do double else enum extern float for "
    "fortran goto if inline int linux long register restrict return short signed sizeof "
    "static struct switch typedef typeof union unix unsigned void volatile while";

/* Of the headers that are included (C11, and what compilers add without -std=c11). */
static const char types[] =
    "div_t double_t fd_mask fd_set FILE float_t fpos_t int16_t int32_t int64_t int8_t "
    "intmax_t intptr_t ldiv_t lldiv_t size_t u_char u_int u_long u_short uint uint16_t "
    "uint32_t uint64_t uint8_t uintmax_t uintptr_t ulong ushort va_list wchar_t";

static const char macros[] =
    "be16toh be32toh be64toh BIG_ENDIAN bool BUFSIZ BYTE_ORDER environ EOF errno "
    "EXIT_FAILURE EXIT_SUCCESS false FD_CLR FD_ISSET FD_SET FD_SETSIZE FD_ZERO FP_ILOGB0 "
    "FP_ILOGBNAN FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO fpclassify htobe16 "
    "htobe32 htobe64 htole16 htole32 htole64 HUGE_VAL HUGE_VALF HUGE_VALL INFINITY "
    "isfinite isgreater isgreaterequal isinf isless islessequal islessgreater isnan "
    "isnormal isunordered L_ctermid L_tmpnam le16toh le32toh le64toh LITTLE_ENDIAN M_1_PI "
    "M_2_PI M_2_SQRTPI M_E M_LN10 M_LN2 M_LOG10E M_LOG2E M_PI M_PI_2 M_PI_4 M_SQRT1_2 "
    "M_SQRT2 MATH_ERREXCEPT math_errhandling MATH_ERRNO NAN NFDBITS NULL P_tmpdir "
    "PDP_ENDIAN SEEK_CUR SEEK_END SEEK_SET signbit stderr stdin stdout true WCONTINUED "
    "WEXITED WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WNOHANG WNOWAIT "
    "WSTOPPED WSTOPSIG WTERMSIG WUNTRACED";

/* <math.h>. */
static const char mathematics[] =
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp "
    "exp10 exp2 expm1 fabs fdim finite floor fma fmax fmin fmod frexp gamma hypot ilogb "
    "j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan "
    "nearbyint nextafter nexttoward pow remainder remquo rint round scalb scalbln scalbn "
    "significand sin sinh sqrt tan tanh tgamma trunc y0 y1 yn";

static const char functions[] =
    "a64l abort abs aligned_alloc alloca arc4random arc4random_buf arc4random_uniform "
    "at_quick_exit atexit atof atoi atol atoll bcmp bcopy bsearch bzero calloc clearenv "
    "clearerr ctermid div dprintf drand48 ecvt erand48 exit explicit_bzero fclose fcvt "
    "fdopen feof ferror fflush ffs ffsl ffsll fgetc fgetpos fgets fileno flockfile "
    "fmemopen fopen fprintf fputc fputs fread free freopen fscanf fseek fseeko fsetpos "
    "ftell ftello ftrylockfile funlockfile fwrite gcvt getc getchar getdelim getenv "
    "getline getloadavg getsubopt getw index initstate isinff isinfl isnanf isnanl "
    "jrand48 l64a labs lcong48 ldiv lgamma_r lgammaf_r lgammal_r llabs lldiv lrand48 "
    "malloc mblen mbstowcs mbtowc memccpy memchr memcmp memcpy memmove memset mkdtemp "
    "mkstemp mkstemps mktemp mrand48 nrand48 on_exit open_memstream pclose perror popen "
    "posix_memalign printf pselect putc putchar putenv puts putw qecvt qfcvt qgcvt qsort "
    "quick_exit rand random realloc reallocarray realpath remove rename renameat rewind "
    "rindex rpmatch scanf seed48 select setbuf setbuffer setenv setlinebuf setstate "
    "setvbuf signgam snprintf sprintf srand srand48 srandom sscanf stpcpy stpncpy "
    "strcasecmp strcasecmp_l strcat strchr strcmp strcoll strcoll_l strcpy strcspn strdup "
    "strerror strerror_l strlen strncasecmp strncasecmp_l strncat strncmp strncpy strndup "
    "strnlen strpbrk strrchr strsep strsignal strspn strstr strtod strtof strtok strtol "
    "strtold strtoll strtoq strtoul strtoull strtouq strxfrm strxfrm_l system tempnam "
    "timeval tmpfile tmpnam ungetc unsetenv valloc vdprintf vfprintf vfscanf vprintf "
    "vscanf vsnprintf vsprintf vsscanf wcstombs wctomb";

/* What is written in each file; functions that only some need are reserved by is_helper. */
static const char written[] = "a_ at at_ b_ best_ end error grow i i0 i1 i2 i3 i4 i5 i6 i7 i32 i64 "
                              "inf j k main no_memory o print_part "
                              "print_value room Room rooms u32 u64 u8 x_ y_";

static bool has_word(const char *list, const char *name, size_t len)
{
    for (const char *p = list; *p;) {
        size_t n = strcspn(p, " ");
        if (n == len && !strncmp(p, name, n))
            return true;
        p += n + (p[n] == ' ');
    }
    return false;
}

/* INT_FAST8_MAX, UINT16_C, ...: limits and literals of types. */
static bool is_limit(const char *name, size_t len)
{
    for (const char *p = name; *p; p++)
        if (islower((unsigned char)*p))
            return false;
    return (len > 4 && (!strcmp(name + len - 4, "_MAX") || !strcmp(name + len - 4, "_MIN"))) ||
           (len > 2 && !strcmp(name + len - 2, "_C"));
}

/* The library's own variants: sinf, sinl; random_r; putc_unlocked. */
static bool is_variant(const char *name, size_t len)
{
    static const char *const ends[] = {"_r", "_unlocked"};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        size_t n = strlen(ends[i]);
        if (len > n && !strcmp(name + len - n, ends[i]) && has_word(functions, name, len - n))
            return true;
    }
    return len > 1 && (name[len - 1] == 'f' || name[len - 1] == 'l') &&
           has_word(mathematics, name, len - 1);
}

bool is_reserved(const char *name)
{
    static const char *const lists[] = {keywords, types, macros, mathematics, functions, written};
    size_t len = strlen(name);
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        if (has_word(lists[i], name, len))
            return true;
    return is_variant(name, len) || is_limit(name, len);
}
