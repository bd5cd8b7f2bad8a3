#!/usr/bin/env bash
# The fuzzers of tests/fuzz on thirty thousand inputs, with the sanitizers.
exec bash "$(dirname "$0")/../fuzz.sh" 30 build/asan/tests
