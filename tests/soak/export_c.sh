#!/usr/bin/env bash
# Exported C on all programs.
cd "$(dirname "$0")/../.." && GRADUS_EFFORT=100 bash tests/export_c.sh
