#!/usr/bin/env bash
# Spark needs a Java runtime, 17 or newer. Take the machine's; install Debian's where there is none and we may.
set -euo pipefail

newer() { # does this java answer with 17 or more?
    "$1" -version 2>&1 | grep -Eq 'version "(1[7-9]|[2-9][0-9])'
}

if newer "${JAVA_HOME:+$JAVA_HOME/bin/}java" 2>/dev/null; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing a Java runtime for Spark (apt-get install openjdk-17-jre-headless)"
    apt-get update -qq >/dev/null 2>&1 || true
    for package in openjdk-17-jre-headless openjdk-21-jre-headless default-jre-headless; do
        if DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$package" >/dev/null 2>&1; then
            exit 0
        fi
    done
fi
echo "no Java runtime of 17 or newer: the tests on Spark are skipped. Debian: apt-get install openjdk-17-jre-headless"
