#!/usr/bin/env bash
# The explorer is tested in a real browser. Take the machine's Chromium; install Debian's where there is none and we may.
set -euo pipefail

for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null; then
        exit 0
    fi
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing a browser for the tests of the explorer (apt-get install chromium)"
    apt-get update -qq >/dev/null 2>&1 || true
    if DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium >/dev/null 2>&1; then
        exit 0
    fi
fi
echo "no Chromium: the tests of the explorer in a browser are skipped. Debian: apt-get install chromium"
