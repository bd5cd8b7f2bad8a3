/* The native tier: the blocks of a program written as C, compiled by the system's C compiler,
 * loaded, and kept in a folder for the next time.
 *
 * Invariant: a value is the same, bit for bit, whether native code or the virtual machine computed
 * it (of a NaN: that it is one). Whatever goes wrong on the way to native code, the virtual machine
 * runs. */
#ifndef GRADUS_NATIVE_H
#define GRADUS_NATIVE_H

#include "exec/plan.h"

typedef enum { NATIVE_OFF, NATIVE_AUTO, NATIVE_ON } NativeMode;
const char *native_mode_name(NativeMode mode);             /* "off" "auto" "on" */
bool native_mode_parse(const char *word, NativeMode *out); /* false: none of them */

typedef struct NativeText NativeText; /* native_code.h */
/* Writes a program as C (core/emit). */
typedef void (*NativeWriter)(const Program *p, NativeText *out);

/* Of a session. */
typedef struct Native {
    NativeMode mode;
    NativeWriter write;
    const Interrupt *interrupt; /* may be NULL */
    Text note;                  /* why there is no native code; to be shown once */
    bool noted;                 /* it was */
    bool disabled;              /* there is none: it is not tried again until the mode is set */
} Native;
void native_set(Native *n, NativeMode mode);
void native_free(Native *n);

/* What became of a program's native code so far. */
typedef enum {
    NATIVE_NONE,     /* not asked for */
    NATIVE_COMPILED, /* compiled and loaded */
    NATIVE_CACHED,   /* loaded from the folder */
    NATIVE_FAILED
} NativeState;
const char *native_state_name(NativeState state); /* "virtual machine", "native code" */
NativeState program_native(const Program *p);

/* What of the program would be native, and what the machine does for it, a line each. */
void native_print(Text *out, const Native *n, const Program *p);

#endif
