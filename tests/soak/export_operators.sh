#!/usr/bin/env bash
# Every operator through every writer of :export, alone and inside of the others: one in a hundred.
cd "$(dirname "$0")/../.." || exit 70
exec /usr/bin/python3 tests/export_operators.py --share 100 --run c,numpy,torch
