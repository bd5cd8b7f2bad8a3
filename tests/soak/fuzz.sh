#!/usr/bin/env bash
# The fuzzers of tests/fuzz on thirty thousand inputs.
exec bash "$(dirname "$0")/../fuzz.sh" 30
