#!/usr/bin/env bash
# The fuzzers of tests/fuzz on three thousand inputs, with the sanitizers.
exec bash "$(dirname "$0")/../fuzz.sh" 3 build/asan/tests
