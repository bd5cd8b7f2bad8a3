#!/usr/bin/env bash
# The fuzzers of tests/fuzz on eight thousand inputs, with the sanitizers.
exec bash "$(dirname "$0")/../fuzz.sh" 8 build/asan/tests
