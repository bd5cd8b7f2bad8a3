/* Plots as data; see plot.h. */
#include "viz/plot/plot.h"

static void put_numbers(Json *j, const char *key, const double *at, int n)
{
    json_open(j, key, '[');
    for (int i = 0; i < n && !interrupted(j->out->interrupt); i++)
        json_double(j, at[i]);
    json_end(j, ']');
}

void plot_put_json(const Plot *p, Json *j)
{
    json_pair(j, "kind", plot_kind_words[p->kind]);
    if (p->over)
        json_pair(j, "over", p->over);
    json_open(j, "series", '[');
    for (size_t i = 0; i < p->series.len; i++) {
        json_begin(j, '{');
        json_pair(j, "label", p->series.at[i].label);
        put_numbers(j, "x", p->series.at[i].x, p->series.at[i].n);
        put_numbers(j, "y", p->series.at[i].y, p->series.at[i].n);
        for (int b = 0; b < 2 * BANDS && p->series.at[i].lanes; b++) {
            char key[8];
            snprintf(key, sizeof key, "p%02.0f", 100 * plot_quantiles[b / 2][b % 2]);
            put_numbers(j, key, p->series.at[i].edge[b / 2][b % 2], p->series.at[i].n);
        }
        json_end(j, '}');
    }
    json_end(j, ']');
    if (p->kind == PLOT_HEAT) {
        json_count(j, "rows", p->rows);
        json_count(j, "columns", p->columns);
        put_numbers(j, "cells", p->cells, p->rows * p->columns);
    }
}
