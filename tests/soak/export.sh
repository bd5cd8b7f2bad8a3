#!/usr/bin/env bash
# Exported C on an eighth of the programs, formulas of all, and every other program for JAX (or its stand-in), PyTorch and Numba where
# these are installed.
cd "$(dirname "$0")/../.." || exit 70
passed=0
failed=0
while read -r line; do
    case $line in
    *' passed, '*' failed')
        read -r p _ f _ <<<"$line"
        passed=$((passed + p))
        failed=$((failed + f))
        ;;
    *) echo "$line" ;;
    esac
done < <(
    GRADUS_EFFORT=12 bash tests/export.sh
    /usr/bin/python3 tests/formulas.py
    GRADUS_EFFORT=50 /usr/bin/python3 tests/export_python.py --targets jax,torch
    GRADUS_EFFORT=50 /usr/bin/python3 tests/export_python.py --targets numba scan/
    GRADUS_EFFORT=50 /usr/bin/python3 tests/export_python.py --targets jax-native,torch-native grad/
)
echo "$passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 0 ]]
