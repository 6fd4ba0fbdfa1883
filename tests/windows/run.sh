#!/usr/bin/env bash
# Tests build/windows-package with wine: names and files, bytes, the studio, the installer, and the suite of the command line.
# Usage: tests/windows/run.sh FOLDER VERSION   (from the top of the repository; build/ci holds the native build)
set -euo pipefail
folder=$PWD/$1 version=$2
export WINEPREFIX=$PWD/build/wine WINEDEBUG=-all
wineboot -i >/dev/null 2>&1
# As long as one program runs, later ones start at once, and wine's services do not hold the pipes of a test open.
sleep infinity | wine cmd.exe >/dev/null 2>&1 &
trap 'wineserver -k; pkill -P $$' EXIT
mkdir -p build/wine-bin
program=$PWD/build/wine-bin/dapple  # plans look for this name in PATH
printf '#!/bin/sh\nexec wine %q "$@"\n' "$folder/dapple/dapple.exe" >"$program"
chmod +x "$program"

echo "windows: names, long paths, line ends, Ctrl-C"
tests/windows/program_test.py "$program"
echo "windows: bytes of all presets and formats"
tests/golden/compare_bytes.py --native build/ci/bin/dapple "$program"
echo "windows: the studio's page"
"$program" studio --no-browser --port 8377 >/dev/null 2>&1 &
curl -sf --retry 20 --retry-connrefused --retry-delay 1 -o build/wine-bin/page.js http://127.0.0.1:8377/page.js
grep -q WebSocket build/wine-bin/page.js
kill $!

echo "windows: installer"
installer=$folder/dapple-$version-windows.msi
installed='C:\Program Files\Dapple\dapple.exe'
wine msiexec /i "$installer" /qn
wine "$installed" presets --names | grep dither-newspaper >/dev/null
wine reg query 'HKLM\Software\Classes\Dapple.Picture\shell\open\command' | grep studio >/dev/null
find "$WINEPREFIX/drive_c" -name 'Dapple Studio.lnk' | grep . >/dev/null
wine msiexec /x "$installer" /qn
if wine "$installed" --version >/dev/null 2>&1; then
  echo "windows: the program is still there after it was removed" >&2
  exit 1
fi

echo "windows: suite of the command line"
logs=build/windows-suite
rm -rf $logs
mkdir $logs
# Each test has a process, so that one that hangs ends after the limit and counts as a failure.
test_program() {
  DAPPLE_TESTED_PROGRAM=$3 DAPPLE_TESTED_SYSTEM=windows timeout --kill-after 10 300 \
    build/ci/bin/cli_tests --gtest_filter="$1" >"$2/${1//\//-}.log" 2>&1 || true  # the verdict judges what failed
}
export -f test_program
build/ci/bin/cli_tests --gtest_filter="-$(tests/windows/verdict.py --endless)" --gtest_list_tests |
  awk '/^[^ ]/ { suite = $1 } /^  / { print suite $1 }' |
  xargs -P 2 -I '{}' bash -c 'test_program "$@"' - '{}' $logs "$program"
tests/windows/verdict.py $logs/*.log
