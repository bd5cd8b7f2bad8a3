#!/usr/bin/env bash
# The fuzzers of tests/fuzz on twelve thousand inputs, with the sanitizers.
exec bash "$(dirname "$0")/../fuzz.sh" 12 build/asan/tests
