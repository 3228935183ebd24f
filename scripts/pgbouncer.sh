#!/usr/bin/env bash
# One test puts a pooler before PostgreSQL. Take the machine's PgBouncer; install Debian's where there is none and we may.
set -euo pipefail

if command -v pgbouncer >/dev/null; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing PgBouncer (apt-get install pgbouncer)"
    apt-get update -qq >/dev/null 2>&1 || true
    if DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends pgbouncer >/dev/null 2>&1; then
        exit 0
    fi
fi
echo "no PgBouncer: its test is skipped. Debian: apt-get install pgbouncer"
