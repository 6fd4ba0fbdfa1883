# Stages of a script, each with its time. Source this file, then call `stage` for each step.
#
# A stage prints its name when it begins and its seconds when it ends. If it fails, it prints the command that repeats it
# alone, and the script ends.
stage_names=()
stage_seconds=()
stage_results=()
script_name=$(basename "$0")
[ "$script_name" != run ] || script_name=ci

# stage NAME COMMAND ...
stage() {
  try_stage "$@" || exit 1
}

# As stage, but the script goes on after a failure; returns 1 then.
try_stage() {
  local name=$1 start=$EPOCHREALTIME result=passed seconds
  shift
  echo "$script_name: $name ..."
  "$@" || result=failed
  seconds=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
  stage_names+=("$name")
  stage_seconds+=("$seconds")
  stage_results+=("$result")
  if [ $result = failed ]; then
    [ "$1" != quietly ] || shift
    echo "$script_name: $name failed after $seconds s; to repeat it alone: $(printf '%q ' "$@")" >&2
    return 1
  fi
  echo "$script_name: $name took $seconds s"
}

# Runs a command and shows what it prints only if it fails: stage NAME quietly COMMAND ...
quietly() {
  local log result=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || result=$?
  [ $result -eq 0 ] || cat "$log" >&2
  rm -f "$log"
  return $result
}

# Prints one line per stage: seconds, passed or failed, name.
stage_table() {
  local i
  for i in "${!stage_names[@]}"; do
    printf '%8.1f s  %s  %s\n' "${stage_seconds[i]}" "${stage_results[i]}" "${stage_names[i]}"
  done
}
