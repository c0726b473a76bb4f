import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { foundryCli } from "../bins.ts";
import { plainEnv, runCli } from "./programs.ts";

const hasScript = spawnSync("script", ["--version"]).status === 0;
if (!hasScript)
  process.stderr.write("Without script of util-linux there is no terminal to test commands in.\n");

let folder: string;
let empty: string;
let id: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "foundry-terminal-"));
  empty = await mkdtemp(join(tmpdir(), "foundry-terminal-"));
  const { stdout } = await runCli(["init"], { cwd: folder });
  id = /first-steps-[\d-]+/.exec(stdout)?.[0].replace(/-$/, "") ?? "";
});
afterAll(async () => {
  for (const each of [folder, empty]) await rm(each, { recursive: true, force: true });
});

/** Runs a command on a pseudo-terminal, on which stdout and stderr are one stream. */
function show(words: string, cwd = folder, env: Readonly<Record<string, string>> = {}) {
  const { status, stdout } = spawnSync(
    "script",
    ["-qec", `'${process.execPath}' '${foundryCli}' ${words}`, "/dev/null"],
    {
      cwd,
      env: { ...plainEnv(cwd), TERM: "xterm", NO_COLOR: "1", ...env },
      encoding: "utf8",
    },
  );
  return { code: status, shown: stdout.replaceAll("\r\n", "\n") };
}

describe.skipIf(!hasScript)("on a terminal", () => {
  it.each([
    ["--version", 0, /^foundry-cli \d+\.\d+\.\d+\n$/],
    ["-v", 0, /^foundry-cli \d+\.\d+\.\d+\n$/],
    ["tasks info task-1-1", 0, /^resolved: spec_id is first-steps-\S+, the only active spec\n[^{]/],
    ["tasks", 2, /^Usage: foundry-cli tasks <command>/],
    ["help tasks complete", 0, /^Usage: foundry-cli tasks complete \[options\] \[spec_id\] <task_id>\n/],
    ["tasks help", 0, /^Usage: foundry-cli tasks <command>/],
    ["tasks complte", 2, /^error: foundry-cli tasks has no command "complte" \(VALIDATION_ERROR\)\n/],
    [
      "specs get nope",
      1,
      /^error: Spec not found: nope \(SPEC_NOT_FOUND\)\n[^\n]*\ntry: foundry-cli specs find\n$/,
    ],
    ["serve --port none", 1, /^error: Cannot use the setting port/],
  ])("%s", (words, code, text) => {
    expect(show(words)).toEqual({ code, shown: expect.stringMatching(text) });
  });

  it("the name alone shows where things stand, or how to begin", () => {
    const { code, shown } = show("");
    expect([code, shown]).toEqual([0, expect.stringContaining("First steps")]);
    expect(shown).toMatch(/\n {2}foundry-cli tasks next {10}Show the next task\n/);
    expect(show("", empty)).toEqual({
      code: 0,
      shown: expect.stringMatching(/\n {2}foundry-cli init {8}Create a workspace here\n/),
    });
  });

  it.each([
    ["--json tasks progress", {}],
    ["tasks progress --output json", {}],
    ["tasks progress", { FOUNDRY_OUTPUT: "json" }],
  ])("%s %j is the envelope", (words, env) => {
    const { code, shown } = show(words, folder, env);
    expect([code, JSON.parse(shown.split("\n").at(-2) ?? "")]).toMatchObject([0, { success: true }]);
  });
});

describe("in a pipe", () => {
  const envelopeOf = (stdout: string) => JSON.parse(/^[^\n]+\n$/.exec(stdout)?.[0] ?? "null");

  it("the name alone is a refusal", async () => {
    const { code, stdout } = await runCli([], { cwd: folder });
    expect([code, envelopeOf(stdout)]).toMatchObject([
      2,
      { success: false, data: { error_code: "MISSING_REQUIRED" } },
    ]);
  });

  it("a command of another group is named in full", async () => {
    const { code, stdout } = await runCli(["specs", "next"], { cwd: folder });
    const { error, data } = envelopeOf(stdout);
    expect([code, error, data["remediation"]]).toEqual([
      2,
      'foundry-cli specs has no command "next"',
      "Did you mean foundry-cli tasks next? foundry-cli specs --help lists the commands of specs.",
    ]);
  });

  it("FOUNDRY_OUTPUT and the setting output choose the format, and a wrong one is refused", async () => {
    const { stdout } = await runCli(["tasks", "progress"], { cwd: folder, env: { FOUNDRY_OUTPUT: "human" } });
    expect(stdout).toMatch(/^First steps\nfirst-steps-\d{4}-\d{2}-\d{2}-001\n/);
    const wrong = await runCli(["tasks", "progress"], { cwd: folder, env: { FOUNDRY_OUTPUT: "xml" } });
    expect([wrong.code, envelopeOf(wrong.stdout).error]).toEqual([
      2,
      'Cannot use FOUNDRY_OUTPUT "xml": there is no such format',
    ]);
  });

  it.each([
    [["tasks", "info", "task-1-1"], ""],
    [["tasks", "info", "first", "task-1-1"], ""],
    [["tasks", "info", "verify"], ""],
    [["tasks", "progress"], "first"],
  ])("%j with FOUNDRY_SPEC=%j is about the one spec", async (argv, spec) => {
    const { code, stdout, stderr } = await runCli(argv, { cwd: folder, env: { FOUNDRY_SPEC: spec } });
    expect([code, envelopeOf(stdout)]).toMatchObject([0, { data: { spec_id: id } }]);
    expect(stderr).toMatch(/^resolved: spec_id/);
  });

  it("nothing is deleted by a short id", async () => {
    const { code, stdout } = await runCli(["modify", "remove-task", "first", "task-1-1", "--confirm"], {
      cwd: folder,
    });
    expect([code, envelopeOf(stdout)]).toMatchObject([
      2,
      {
        error: 'Cannot take "first" as spec_id: a command that may delete something needs the whole id',
        data: {
          error_code: "VALIDATION_ERROR",
          remediation: expect.stringMatching(
            `^Use ${id}: foundry-cli modify remove-task ${id} task-1-1 --confirm\\.$`,
          ),
        },
      },
    ]);
  });

  it.each([
    ["tasks complete", "tasks complete SPEC TASK_ID"],
    ["modify remove-task SPEC task-1-1", "modify remove-task SPEC task-1-1 --confirm"],
    ["specs create", "specs create NAME"],
  ])("%s shows the command with what it lacks", async (line, completed) => {
    const argv = [...line.replace("SPEC", id).split(" "), "--human"];
    const { code, stderr } = await runCli(argv, { cwd: folder });
    const shown = /^try: foundry-cli (.*)$/m.exec(stderr)?.[1];
    expect([code, shown]).toEqual([1, completed.replace("SPEC", id)]);
  });

  it.each([
    [["4", "foundry-cli", "tasks", "complete", "first", "ver"], "verify-2-1\n"],
    [["4", "foundry-cli", "tasks", "complete", "first", "--not"], /^--note\t/],
    [["2", "foundry-cli", "watch", "f"], /^first-steps-\S+\n$/],
    [["3", "foundry-cli", "specs", "get", ""], /^first-steps-\S+\n$/],
    [["3", "foundry-cli", "modify", "remove-task", ""], /^first-steps-\S+\n$/],
  ])("a shell completes %j", async (words, expected) => {
    const { code, stdout } = await runCli(["__complete", ...words], { cwd: folder });
    expect([code, stdout]).toEqual([
      0,
      typeof expected === "string" ? expected : expect.stringMatching(expected),
    ]);
  });
});
