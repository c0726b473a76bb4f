import { quoteName } from "@foundry-mcp/contract/input";
import { suggest } from "../text/did-you-mean.ts";
import { shells } from "./complete.ts";
import { toShellCommand } from "./shell-words.ts";
import { usageError } from "./usage-error.ts";

/** The program whose command line is completed. */
export interface CompletedProgram {
  readonly name: string;
  /** @default the name */
  readonly command?: string | undefined;
  /** @default the name, which the shell looks up */
  readonly path?: string | undefined;
}

/**
 * Returns the completion script of a shell. The script calls the program for candidates, so it never becomes outdated.
 * `command` is the command with which the program was started, such as `npx notes` for the program `notes`. `path` is the
 * path of the program: after `npx notes`, the script runs this path and never a program of the current folder, because
 * Tab must not run code of a repository that was only cloned.
 */
export function toCompletionScript(
  { name, command = name, path = name }: CompletedProgram,
  shell: string | undefined,
): string {
  const write = shell === undefined || !Object.hasOwn(scripts, shell) ? undefined : scripts[shell as Shell];
  if (write !== undefined)
    return write({ name, prefix: `_${name.replace(/[^A-Za-z0-9_]/g, "_")}`, path: toShellCommand([path]) });
  throw usageError(
    {
      field: "shell",
      constraint: shell === undefined ? "required" : "enum",
      expected: [...shells],
      ...(shell === undefined ? {} : { received: shell }),
    },
    shell === undefined
      ? "Cannot write a completion script: no shell is named"
      : `Cannot write a completion script for ${quoteName(shell)}`,
    `Run ${command} completion bash. ${suggest(shell ?? "", shells)}`,
  );
}

type Shell = (typeof shells)[number];

interface ScriptNames {
  readonly name: string;
  /** The beginning of the names of the functions. */
  readonly prefix: string;
  /** The path of the program, quoted for the shell. */
  readonly path: string;
}

/** The options of npx that may precede the name of the program. */
const npxFlags = ["-y", "--yes", "--no", "--no-install", "--"];

const scripts: Readonly<Record<Shell, (names: ScriptNames) => string>> = {
  bash: ({ name, prefix, path }) => `# Completion of ${name} and npx ${name} for bash
${prefix}_ask() {
  local value _ quoted
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    printf -v quoted %q "$value"
    COMPREPLY+=("$quoted")
  done < <("$1" __complete "\${@:2}" 2>/dev/null)
}
${prefix}_complete() {
  ${prefix}_ask "\${COMP_WORDS[0]/#\\~/$HOME}" "$COMP_CWORD" "\${COMP_WORDS[@]}"
}
complete -o default -F ${prefix}_complete ${name}
${prefix}_npx() {
  local at=1 program=${path}
  while true; do
    case "\${COMP_WORDS[at]}" in ${npxFlags.join("|")}) at=$((at + 1)) ;; *) break ;; esac
  done
  if [[ "$at" -lt "$COMP_CWORD" && "\${COMP_WORDS[at]}" == ${name} ]]; then
    [[ -x "$program" ]] || program=${name}
    ${prefix}_ask "$program" "$((COMP_CWORD - at))" "\${COMP_WORDS[@]:at}"
  elif [[ -n "$${prefix}_npx_before" ]]; then
    "$${prefix}_npx_before" "$@"
  fi
}
# Other programs after npx are completed as before.
if [[ -z "\${${prefix}_npx_before+set}" ]]; then
  complete -p npx &>/dev/null || { declare -F _completion_loader && _completion_loader npx; } &>/dev/null
  ${prefix}_npx_spec="$(complete -p npx 2>/dev/null || printf 'complete -o default npx')"
  ${prefix}_npx_before=
  if [[ "$${prefix}_npx_spec" =~ \\ -F\\ ([^\\ ]+) ]]; then
    ${prefix}_npx_before="\${BASH_REMATCH[1]}"
    ${prefix}_npx_spec="\${${prefix}_npx_spec/ -F $${prefix}_npx_before/}"
  fi
  eval "\${${prefix}_npx_spec/#complete/complete -F ${prefix}_npx}"
  unset ${prefix}_npx_spec
fi
`,
  zsh: ({ name, prefix, path }) => `#compdef ${name}
# Completion of ${name} and npx ${name} for zsh
${prefix}_ask() {
  local value description
  local -a candidates
  while IFS=$'\\t' read -r value description; do
    candidates+=("\${value//:/\\\\:}\${description:+:$description}")
  done < <("$1" __complete $((CURRENT - 1)) "\${(@)words}" 2>/dev/null)
  if (( \${#candidates} )); then
    _describe '${name}' candidates
  else
    _files
  fi
}
${prefix}_complete() {
  ${prefix}_ask "\${words[1]/#\\~/$HOME}"
}
${prefix}_npx() {
  local at=2 program=${path}
  while [[ "$words[at]" == (${npxFlags.join("|")}) ]]; do (( at += 1 )); done
  if (( at < CURRENT )) && [[ "$words[at]" == ${name} ]]; then
    [[ -x "$program" ]] || program=${name}
    words=("\${(@)words[at,-1]}")
    (( CURRENT -= at - 1 ))
    ${prefix}_ask "$program"
  else
    "\${${prefix}_npx_before:-_default}" "$@"
  fi
}
if [[ "\${funcstack[1]}" == "_${name}" ]]; then
  ${prefix}_complete "$@"
else
  compdef ${prefix}_complete ${name}
fi
# Other programs after npx are completed as before.
if (( ! \${+${prefix}_npx_before} )); then
  typeset -g ${prefix}_npx_before="\${_comps[npx]-}"
  compdef ${prefix}_npx npx
fi
`,
  fish: ({ name, prefix, path }) => `# Completion of ${name} and npx ${name} for fish
function ${prefix}_at_npx
  set -l at 2
  while contains -- "$argv[$at]" ${npxFlags.join(" ")}
    set at (math $at + 1)
  end
  test "$argv[1]" = npx -a "$argv[$at]" = ${name}
  and echo $at
end
function ${prefix}_complete
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  set -l program $before[1]
  set -l at (${prefix}_at_npx $before)
  if set -q at[1]
    set before $before[$at..-1]
    set program ${path}
  end
  type -q -- $program
  or set program ${name}
  type -q -- $program
  or return
  set -l found ($program __complete (count $before) $before "$current" 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c ${name} -f -a '(${prefix}_complete)'
# Other programs after npx are completed as before.
complete -c npx -n '${prefix}_at_npx (commandline -opc) >/dev/null' -f -a '(${prefix}_complete)'
`,
};
