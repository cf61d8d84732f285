#!/usr/bin/env bash
# Runs the action in ../action.yml: finds or builds the program, checks once, and reports the findings.
#
# Reads INPUT_* (the action's inputs) and the runner's RUNNER_TEMP, GITHUB_ACTION_PATH, GITHUB_BASE_REF, GITHUB_OUTPUT and
# GITHUB_STEP_SUMMARY. Ends with the program's exit code. Written for bash 3.2, which macOS has, and newer.
set -euo pipefail

# A step's summary may have 1 MiB.
readonly SUMMARY_LIMIT=1000000

# The exit code of the step: 2 until the program has answered.
answer=2
findings=
sarif_written=
scratch=

# Sets an output of the step. A value may contain anything but its own end mark.
# shellcheck disable=SC2329 # `finish` calls it
output() {
  local mark="end-$RANDOM$RANDOM$RANDOM"
  printf '%s<<%s\n%s\n%s\n' "$1" "$mark" "$2" "$mark" >>"${GITHUB_OUTPUT:-/dev/null}"
}

# Sets the outputs, however the script ends.
# shellcheck disable=SC2329 # the trap calls it
finish() {
  trap - EXIT
  output findings "$findings"
  output exit-code "$answer"
  output sarif-file "$sarif_written"
  rm -rf -- "$scratch"
  exit "$answer"
}
trap finish EXIT

# Reports why the check cannot run. The runner reads line by line, and `%` begins an escape.
fail() {
  local message=${1//'%'/%25}
  message=${message//$'\r'/%0D}
  message=${message//$'\n'/%0A}
  printf '::error title=lifecycle::%s\n' "$message"
  exit 2
}

# Prints a file without letting the runner take a line of it as a command.
print_plainly() {
  if [ -s "$1" ]; then
    local mark="end-$RANDOM$RANDOM$RANDOM"
    printf '::stop-commands::%s\n' "$mark"
    cat -- "$1"
    printf '\n::%s::\n' "$mark"
  fi
}

# Whether a switch is on.
switched_on() {
  case $2 in
    true) return 0 ;;
    false) return 1 ;;
    *) fail "$1 is \`$2\`; it is true or false" ;;
  esac
}

# Downloads the program of a release, and sets $program.
download_program() {
  local tag=$1 target name url
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-musl ;;
    Linux-aarch64) target=aarch64-unknown-linux-musl ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    *) fail "version: there is no program for $(uname -s) on $(uname -m); leave it empty to build one" ;;
  esac
  case $tag in *[!A-Za-z0-9.+-]*) fail "version: $tag is not the tag of a release" ;; esac
  name=lifecycle-$tag-$target
  url="${GITHUB_SERVER_URL:-https://github.com}/${GITHUB_ACTION_REPOSITORY:?}/releases/download/$tag/$name.tar.gz"
  (
    cd -- "$scratch" &&
      curl --fail --silent --show-error --location --retry 2 --remote-name "$url" --remote-name "$url.sha256" &&
      if command -v sha256sum >/dev/null; then sha256sum -c "$name.tar.gz.sha256"; else shasum -a 256 -c "$name.tar.gz.sha256"; fi &&
      tar -xzf "$name.tar.gz"
  ) >"$scratch/download" 2>&1 || fail "version: $url cannot be used: $(tail -n 1 "$scratch/download")"
  program="$scratch/$name/lifecycle"
}

# Finds the program, downloads it or builds it, and sets $program.
get_program() {
  if [ -n "${INPUT_BINARY:-}" ]; then
    program=$(command -v -- "$INPUT_BINARY") || fail "binary: there is no program $INPUT_BINARY"
    return
  fi
  if program=$(command -v lifecycle); then
    return
  fi
  if [ -n "${INPUT_VERSION:-}" ]; then
    download_program "$INPUT_VERSION"
    return
  fi
  local root="${RUNNER_TEMP:?}/lifecycle-program" source="${GITHUB_ACTION_PATH:?}"
  program="$root/bin/lifecycle"
  if [ -x "$program" ]; then
    return
  fi
  command -v cargo >/dev/null || fail "there is no lifecycle on the PATH, and no cargo to build it with: install Rust 1.89 or newer, or name a program with \`binary\`"
  echo "::group::Building lifecycle"
  # In its own folder, so that a toolchain file of the workspace does not apply. A fast build matters more than a fast
  # check.
  local built=true
  (
    cd -- "$source" &&
      CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
        cargo install --locked --path "$source" --root "$root" --target-dir "$root/target"
  ) || built=false
  echo "::endgroup::"
  if [ "$built" = false ]; then
    fail "lifecycle could not be built; it needs Rust 1.89 or newer"
  fi
}

# Sets $arguments of the one run.
collect_arguments() {
  arguments=(check "--fail-on=${INPUT_FAIL_ON:-error}")
  if [ "$annotated" = true ]; then
    arguments+=(--format github)
  else
    arguments+=(--format table)
  fi
  local base=${INPUT_BASE:-}
  if [ -z "$base" ] && [ -n "${GITHUB_BASE_REF:-}" ]; then
    base="origin/$GITHUB_BASE_REF"
  fi
  if [ -n "$base" ] && [ "$base" != none ]; then
    arguments+=("--base=$base")
  fi
  if [ -n "${INPUT_POLICY:-}" ]; then
    arguments+=("--policy=$INPUT_POLICY")
  fi
  if [ -n "${INPUT_SARIF_FILE:-}" ]; then
    arguments+=("--output=sarif=$INPUT_SARIF_FILE")
  fi
  if [ -n "${INPUT_JUNIT_FILE:-}" ]; then
    arguments+=("--output=junit=$INPUT_JUNIT_FILE")
  fi
  # Files are written in this order: once the last exists, the others do.
  arguments+=("--output=markdown=$scratch/findings.md" "--output=json=$scratch/findings.json")
  local line
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line%$'\r'}
    if [ -n "$line" ]; then
      arguments+=("$line")
    fi
  done <<<"${INPUT_ARGS:-}"
  if [ -n "${INPUT_MODEL:-}" ]; then
    arguments+=(-- "$INPUT_MODEL")
  fi
}

# Counts the new findings. Each finding is one line, which has its fingerprint, and quotes in texts are escaped by a
# backslash.
count_findings() {
  local counted='error|warning'
  if [ "${INPUT_FAIL_ON:-error}" = note ]; then
    counted='error|warning|note'
  fi
  awk -v counted="\"severity\":\"($counted)\"" \
    '$0 ~ counted && /"fingerprint":/ && !/"known":"(base|baseline)"/ { count++ } END { print count + 0 }' "$scratch/findings.json"
}

write_summary() {
  local page="$scratch/findings.md"
  if [ "$(wc -c <"$page")" -le "$SUMMARY_LIMIT" ]; then
    cat -- "$page"
  else
    # The last line may be incomplete.
    head -c "$SUMMARY_LIMIT" -- "$page" | LC_ALL=C sed '$d'
    printf '\nThere are more findings than fit a summary.\n'
  fi >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
}

scratch=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/lifecycle.XXXXXX") || fail "no temporary folder can be created"
program=
arguments=()
annotated=false
if switched_on annotations "${INPUT_ANNOTATIONS:-true}"; then
  annotated=true
fi
with_summary=false
if switched_on summary "${INPUT_SUMMARY:-true}"; then
  with_summary=true
fi
collect_arguments
get_program

# Only annotations may be commands to the runner: other output may repeat what somebody else wrote.
status=0
if [ "$annotated" = true ]; then
  "$program" "${arguments[@]}" </dev/null 2>"$scratch/messages" || status=$?
else
  "$program" "${arguments[@]}" </dev/null >"$scratch/messages" 2>&1 || status=$?
fi
print_plainly "$scratch/messages"

if [ -f "$scratch/findings.json" ]; then
  sarif_written=${INPUT_SARIF_FILE:-}
  if [ "$status" -lt 2 ]; then
    findings=$(count_findings)
  fi
  if [ "$with_summary" = true ]; then
    write_summary
  fi
elif [ "$status" -ge 2 ]; then
  fail "the check ended with an error; see the log"
fi
# A program that was killed has not answered.
case $status in 0 | 1 | 2) answer=$status ;; esac
