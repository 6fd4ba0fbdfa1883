#!/usr/bin/env bash
# Tests build/windows-package with wine: names and files, bytes, the installer, and the suite of the command line.
# Usage: tests/windows/run.sh FOLDER VERSION   (from the top of the repository; build/ci holds the native build)
set -euo pipefail
folder=$PWD/$1 version=$2
export WINEPREFIX=$PWD/build/wine WINEDEBUG=-all
# wine tells at each start that programs of 32 bits need another package.
quiet_wine() { wine "$@" 2> >(grep -vE '^(it looks like wine32|multiarch needs|apt-get install wine32)|dpkg --add-arch|^[0-9a-f]{4}:err:' >&2); }
wineboot -i >/dev/null 2>&1
# As long as one program runs, the next ones start at once, and services of wine keep no pipe of a test open.
sleep infinity | wine cmd.exe >/dev/null 2>&1 &
trap 'wineserver -k || true' EXIT
mkdir -p build/wine-bin
program=$PWD/build/wine-bin/dapple  # plans look for this name in PATH
printf '#!/bin/sh\nexec wine %q "$@"\n' "$folder/dapple/dapple.exe" >"$program"
chmod +x "$program"

echo "windows: names, long paths, line ends"
tests/windows/names_test.py "$program" 2>&1 | tail -40
echo "windows: bytes of all presets and formats"
tests/golden/compare_bytes.py --native build/ci/bin/dapple "$program"
echo "windows: the studio's page"
"$program" studio --no-browser --port 8377 >/dev/null 2>&1 &
studio=$!
curl -sf --retry 20 --retry-connrefused --retry-delay 1 http://127.0.0.1:8377/page.js | grep -q 'WebSocket'
kill $studio

echo "windows: installer"
installer=$folder/dapple-$version-windows.msi
quiet_wine msiexec /i "$installer" /qn
quiet_wine 'C:\Program Files\Dapple\dapple.exe' mask --preset mask-8x8 --size 16 -q -o - >/dev/null 2>&1 ||
  quiet_wine 'C:\Program Files\Dapple\dapple.exe' presets --names | grep -q dither-newspaper
quiet_wine reg query 'HKLM\Software\Classes\Dapple.Picture\shell\open\command' | grep -q studio
find "$WINEPREFIX/drive_c" -name 'Dapple Studio.lnk' | grep -q .
quiet_wine msiexec /x "$installer" /qn
! [ -e "$WINEPREFIX/drive_c/Program Files/Dapple/dapple.exe" ]

echo "windows: suite of the command line"
excluded=Cli.AnAbortThatIsNotForMemoryStaysOne  # would not end
shard() {
  DAPPLE_TESTED_PROGRAM=$program GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=$1 build/ci/bin/cli_tests \
    --gtest_filter="-$excluded" --gtest_brief=0 >"build/windows-suite-$1.log" 2>&1 || true
}
shard 0 &
shard 1
wait %3 2>/dev/null || wait $!
tests/windows/verdict.py build/windows-suite-?.log
