/* Writing JSON: a streaming writer that keeps commas and escapes right. */
#ifndef GRADUS_JSON_H
#define GRADUS_JSON_H

#include "base/base.h"

typedef struct {
    Text *out;
    bool comma; /* a value was written at this level, so the next needs a comma */
} Json;

void json_begin(Json *j, char bracket);   /* '{' or '[' */
void json_end(Json *j, char bracket);     /* '}' or ']' */
void json_key(Json *j, const char *name); /* then write exactly one value */
void json_string(Json *j,
                 const char *s); /* NULL writes null; invalid UTF-8 is replaced by U+FFFD */
void json_int(Json *j, i64 x);
void json_double(Json *j, double x); /* NaN and infinities as the strings "nan", "inf", "-inf" */
void json_bool(Json *j, bool b);
void json_null(Json *j);
void json_raw(Json *j, const char *text);               /* already JSON */
void json_open(Json *j, const char *key, char bracket); /* key and json_begin */
/* A key and its value. */
void json_pair(Json *j, const char *key, const char *value);
void json_text(Json *j, const char *key, Text *value); /* which is freed */
void json_count(Json *j, const char *key, i64 value);
void json_flag(Json *j, const char *key, bool value);

#endif
