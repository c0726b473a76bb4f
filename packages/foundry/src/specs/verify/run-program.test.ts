import { createHash } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ProgramOptions, runProgram } from "./run-program.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "run-"));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const hashOf = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

async function run(argv: readonly string[], own: Partial<ProgramOptions> = {}) {
  const env = { PATH: process.env["PATH"] ?? "" };
  const { output, durationMs, ...rest } = await runProgram({ argv, cwd, timeoutMs: 60_000, env, ...own });
  expect(durationMs).toBeGreaterThanOrEqual(0);
  return { ...rest, output: Buffer.from(output).toString() };
}

const sh = (script: string, own: Partial<ProgramOptions> = {}) => run(["sh", "-c", script], own);

async function failureOf(work: Promise<unknown>) {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!isContractError(error)) throw error;
  return { code: error.code, message: error.message };
}

/** Returns the processes of a group that have not ended. Zombie processes do not count. */
async function groupOf(leader: number): Promise<readonly string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  return lines.filter((line) => {
    const [state, , group] = line.slice(line.lastIndexOf(")") + 2).split(" ");
    return Number(group) === leader && state !== "Z" && state !== "X";
  });
}

/** Waits until a process group is empty, because a killed process needs some time to end. */
async function expectNobody(leader: number): Promise<void> {
  expect(leader).toBeGreaterThan(1);
  await expect.poll(() => groupOf(leader)).toEqual([]);
}

/** Returns the process id that a program has printed first. This id is also the id of its process group. */
const leaderIn = (output: string) => Number(/^\d+/.exec(output)?.[0]);

describe.skipIf(process.platform !== "linux")("runProgram", () => {
  test.each([0, 1, 7, 255])("tells exit code %i", async (code) => {
    expect(await sh(`echo out; exit ${code}`)).toEqual({
      exitCode: code,
      signal: null,
      ended: "exit",
      output: "out\n",
      bytes: 4,
      hash: hashOf("out\n"),
    });
  });

  test("reads both streams, and gives nothing to read", async () => {
    const { output, exitCode } = await sh("cat; echo one; echo two >&2; pwd");
    expect(output.split("\n").toSorted()).toEqual(["", cwd, "one", "two"]);
    expect(exitCode).toBe(0);
  });

  test("passes words as they are: no shell reads them", async () => {
    const { output } = await run(["printf", "%s|", "$HOME", "a b", "*", "; id"]);
    expect(output).toBe("$HOME|a b|*|; id|");
  });

  test("hands on the variables it is told, and no other", async () => {
    process.env["FOUNDRY_TOKEN"] = "secret";
    try {
      const { output } = await run(["env"], { env: { PATH: process.env["PATH"] ?? "", CI: "1" } });
      expect(output.split("\n").map((line) => line.split("=")[0])).toEqual(["PATH", "CI", ""]);
    } finally {
      delete process.env["FOUNDRY_TOKEN"];
    }
  });

  test("tells the signal of somebody else", async () => {
    expect(await sh("kill -9 $$")).toMatchObject({ exitCode: null, signal: "SIGKILL", ended: "signal" });
  });

  test("ends what hangs", async () => {
    const result = await sh("echo $$; exec sleep 1000", { timeoutMs: 1_000 });
    expect(result).toMatchObject({ exitCode: null, signal: "SIGTERM", ended: "timeout" });
    await expectNobody(leaderIn(result.output));
  });

  test("ends what hangs and hears no SIGTERM, with what it started", async () => {
    const result = await sh("trap '' TERM; echo $$; sleep 1000 & sleep 1000; sleep 1000", {
      timeoutMs: 1_000,
    });
    expect(result).toMatchObject({ exitCode: null, signal: "SIGKILL", ended: "timeout" });
    await expectNobody(leaderIn(result.output));
  });

  test("lets what is asked to end say its last words", async () => {
    const script = "trap 'echo sorry; exit 3' TERM; echo ready; while :; do :; done";
    expect(await sh(script, { timeoutMs: 1_000 })).toMatchObject({
      exitCode: 3,
      ended: "timeout",
      output: "ready\nsorry\n",
    });
  });

  test("does not wait for a child that keeps the output open, and ends it", async () => {
    const result = await sh("echo $$; (trap '' TERM HUP; sleep 1000) & exit 4");
    expect(result).toMatchObject({ exitCode: 4, ended: "exit" });
    await expectNobody(leaderIn(result.output));
  });

  test("does not wait for a child that left the group", async () => {
    const result = await sh("setsid sh -c 'echo $$; exec sleep 1000' & sleep 0.3; exit 0");
    const stray = leaderIn(result.output);
    expect(result).toMatchObject({ exitCode: 0, ended: "exit" });
    // A process outside the process group is not killed by `runProgram`, so the test kills it.
    process.kill(stray, "SIGKILL");
    await expectNobody(stray);
  });

  test("ends a silent child that was left behind", async () => {
    const result = await sh("echo $$; sleep 1000 >/dev/null 2>&1 & exit 0");
    expect(result).toMatchObject({ exitCode: 0, ended: "exit" });
    await expectNobody(leaderIn(result.output));
  });

  test("ends a flood, and hashes what it took of it", async () => {
    const [maxBytes, keptBytes] = [1_000_001, 1_000];
    const taken = "y\n".repeat(500_001).slice(0, maxBytes);
    const result = await run(["yes"], { maxBytes, keptBytes });
    expect(result).toMatchObject({ ended: "flood", bytes: maxBytes, hash: hashOf(taken) });
    expect(result.output).toBe(
      `${taken.slice(0, 500)}\n[${maxBytes - 1_000} bytes are left out here]\n${taken.slice(-500)}`,
    );
  });

  test("ends a flood that hears nothing, with what it started", async () => {
    const script = "trap '' TERM PIPE; echo $$; (while :; do yes; done) & while :; do yes; done";
    const result = await sh(script, { maxBytes: 100_000 });
    expect(result).toMatchObject({ ended: "flood", bytes: 100_000, signal: "SIGKILL" });
    await expectNobody(leaderIn(result.output));
  });

  test("takes exactly as much as it may", async () => {
    expect(await run(["printf", "%s", "12345678"], { maxBytes: 8 })).toMatchObject({
      ended: "exit",
      exitCode: 0,
      bytes: 8,
    });
  });

  test("waits for a program that closes its output early", async () => {
    expect(await sh("echo gone; exec >&- 2>&-; sleep 0.5; exit 5")).toMatchObject({
      exitCode: 5,
      ended: "exit",
      output: "gone\n",
    });
  });

  test("ends the program when its caller gives up", async () => {
    const giving = new AbortController();
    const pidFile = join(cwd, "pid");
    const work = failureOf(sh(`echo $$ > ${pidFile}; exec sleep 1000`, { signal: giving.signal }));
    await expect.poll(() => readFile(pidFile, "utf8").catch(() => "")).toMatch(/\n/);
    giving.abort();
    expect(await work).toEqual({ code: "CANCELLED", message: "The call was cancelled" });
    await expectNobody(leaderIn(await readFile(pidFile, "utf8")));
    expect(await failureOf(run(["true"], { signal: giving.signal }))).toMatchObject({ code: "CANCELLED" });
  });

  test("says why a program cannot be started", async () => {
    const locked = join(cwd, "locked");
    await writeFile(locked, "#!/bin/sh\n");
    await chmod(locked, 0o644);
    expect(await failureOf(run(["no-such-program"]))).toEqual({
      code: "NOT_FOUND",
      message: 'Cannot run "no-such-program": there is no such program on the PATH of the server',
    });
    expect(await failureOf(run([locked]))).toEqual({
      code: "FORBIDDEN",
      message: `Cannot run ${JSON.stringify(locked)}: it is not executable`,
    });
    expect(await failureOf(run(["echo", "a\0b"]))).toMatchObject({ code: "INVALID_FORMAT" });
    expect(await failureOf(run([""]))).toMatchObject({ code: "INVALID_FORMAT" });
    expect(await failureOf(run(["echo", "x".repeat(4_000_000)]))).toMatchObject({
      code: "CONTENT_TOO_LARGE",
    });
  });

  test("leaves no listener behind", async () => {
    const before = process.listenerCount("exit");
    await Promise.all([run(["true"]), run(["false"]), failureOf(run(["no-such-program"]))]);
    expect(process.listenerCount("exit")).toBe(before);
  });
});
