import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toCompletionScript } from "./completion-script.ts";

const isInstalled = (shell: string) => spawnSync(shell, ["-c", "exit 0"]).status === 0;
const [hasFish, hasZsh] = [isInstalled("fish"), isInstalled("zsh")];
if (!hasFish || !hasZsh)
  process.stderr.write("Completion is tested only in the shells that are installed: bash, zsh and fish.\n");

let folder: string;
/** A program that returns one completion: the last word, the place of the word to complete, and all words. */
let path: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "it's a folder "));
  path = join(folder, "my-demo");
  writeFileSync(
    path,
    '#!/bin/sh\nshift\nfor last; do :; done\nprintf "%s:%s\\tsummary\\n" "$last" "$(printf "%s|" "$@")"\n',
  );
  chmodSync(path, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script in a shell, with the completion script in the file $SCRIPT. */
function run(shell: string, options: readonly string[], script: string): readonly string[] {
  const file = join(folder, `completion.${shell}`);
  writeFileSync(file, toCompletionScript({ name: "my-demo", path }, shell));
  const { stdout, stderr } = spawnSync(shell, [...options, "-c", script], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: folder, SCRIPT: file, TERM: "dumb" },
  });
  expect(stderr).toBe("");
  return stdout.trimEnd().split("\n");
}

/** The command lines, and what completes their last word. */
const lines: readonly (readonly [line: string, found: string])[] = [
  ["npx my-demo ta", "ta:1|my-demo|ta|"],
  ["npx my-demo tasks next --sp", "--sp:3|my-demo|tasks|next|--sp|"],
  ["npx -y my-demo ta", "ta:1|my-demo|ta|"],
];

describe("npx with the program is completed", () => {
  const bash = (line: string) => `
COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=()
_my_demo_npx npx "\${COMP_WORDS[COMP_CWORD]}" && eval "echo \${COMPREPLY[*]}"`;

  it("in bash, and other programs as before, also if the script is sourced twice", () => {
    const script = `
_before() { COMPREPLY=("before:$2"); }
complete -o nospace -F _before npx
source "$SCRIPT"; source "$SCRIPT"
complete -p npx
${[...lines.map(([line]) => line), "npx vite ta", "npx my-d"].map(bash).join("\n")}`;
    expect(run("bash", ["--norc"], script)).toEqual([
      "complete -o nospace -F _my_demo_npx npx",
      ...lines.map(([, found]) => found),
      "before:ta",
      "before:my-d",
    ]);
  });

  it("in bash, where npx had no completion", () => {
    expect(run("bash", ["--norc"], 'source "$SCRIPT"; complete -p npx')).toEqual([
      "complete -o default -F _my_demo_npx npx",
    ]);
  });

  it("in bash, together with another program with such a script", () => {
    const other = join(folder, "other.bash");
    writeFileSync(other, toCompletionScript({ name: "other", path }, "bash"));
    const script = `source "$SCRIPT"; source '${other.replaceAll("'", "'\\''")}'; source "$SCRIPT"
${["npx my-demo a", "npx other b", "npx vite c"].map(bash).join("\n").replaceAll("_my_demo_npx", "_other_npx")}`;
    expect(run("bash", ["--norc"], script)).toEqual(["a:1|my-demo|a|", "b:1|other|b|"]);
  });

  it.skipIf(!hasFish)("in fish, and other programs as before", () => {
    const all = [...lines.map(([line]) => line), "npx vite ti", "npx vi"];
    const script = `source "$SCRIPT"; complete -c npx -f -a 'vite tide'
${all.map((line) => `complete -C '${line}'`).join("\n")}`;
    expect(run("fish", ["--no-config"], script)).toEqual([
      ...lines.map(([, found]) => `${found}\tsummary`),
      "tide",
      "vite",
    ]);
  });

  it.skipIf(!hasZsh)("in zsh, and other programs as before, also if the script is sourced twice", () => {
    const complete = (line: string) => `
words=(${line}); CURRENT=$#words; ${"$"}{_comps[npx]}`;
    const script = `
typeset -A _comps; compdef() { _comps[$2]=$1 }
_describe() { print -r -- "\${\${candidates%:summary}//\\\\:/:}" }
_before() { print -r -- "before:$words[CURRENT]" }
compdef _before npx
source "$SCRIPT"; source "$SCRIPT"
${[...lines.map(([line]) => line), "npx vite ta", "npx my-d"].map(complete).join("\n")}`;
    expect(run("zsh", ["-f"], script)).toEqual([
      ...lines.map(([, found]) => found),
      "before:ta",
      "before:my-d",
    ]);
  });
});
