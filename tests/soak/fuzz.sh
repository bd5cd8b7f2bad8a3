#!/usr/bin/env bash
# The fuzzers of tests/fuzz on five thousand inputs, with the sanitizers.
exec bash "$(dirname "$0")/../fuzz.sh" 5 build/asan/tests
