#!/usr/bin/env bash
# The fuzzers of tests/fuzz on fifty thousand inputs.
exec bash "$(dirname "$0")/../fuzz.sh" 50
