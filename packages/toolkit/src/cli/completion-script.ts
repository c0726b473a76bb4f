import { quoteName } from "@foundry-mcp/contract/input";
import { suggest } from "../text/did-you-mean.ts";
import { shells } from "./complete.ts";
import { usageError } from "./usage-error.ts";

/**
 * Returns the completion script of a shell. The script calls the program for candidates, so it never becomes outdated.
 * `command` is the command with which the program was started, such as `npx notes` for the program `notes`.
 */
export function toCompletionScript(name: string, shell: string | undefined, command = name): string {
  const write = shell === undefined || !Object.hasOwn(scripts, shell) ? undefined : scripts[shell as Shell];
  if (write !== undefined) return write(name, `_${name.replace(/[^A-Za-z0-9_]/g, "_")}_complete`);
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

const scripts: Readonly<Record<Shell, (name: string, call: string) => string>> = {
  bash: (name, call) => `# Completion of ${name} for bash: source <(${name} completion bash)
${call}() {
  local value _ quoted program="\${COMP_WORDS[0]/#\\~/$HOME}"
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    printf -v quoted %q "$value"
    COMPREPLY+=("$quoted")
  done < <("$program" __complete "$COMP_CWORD" "\${COMP_WORDS[@]}" 2>/dev/null)
}
complete -o default -F ${call} ${name}
`,
  zsh: (name, call) => `#compdef ${name}
# Completion of ${name} for zsh: source <(${name} completion zsh)
${call}() {
  local value description
  local -a candidates
  while IFS=$'\\t' read -r value description; do
    candidates+=("\${value//:/\\\\:}\${description:+:$description}")
  done < <("\${words[1]/#\\~/$HOME}" __complete $((CURRENT - 1)) "\${(@)words}" 2>/dev/null)
  if (( \${#candidates} )); then
    _describe '${name}' candidates
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == "_${name}" ]]; then
  ${call} "$@"
else
  compdef ${call} ${name}
fi
`,
  fish: (name, call) => `# Completion of ${name} for fish: ${name} completion fish | source
function ${call}
  set -l before (commandline -opc)
  set -l current (commandline -ct)
  set -l program $before[1]
  set -l found ($program __complete (count $before) $before "$current" 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c ${name} -f -a '(${call})'
`,
};
