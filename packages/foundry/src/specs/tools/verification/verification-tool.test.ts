import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import { createRegistry, type Registry } from "@foundry-mcp/toolkit";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { completeTask } from "../../model/changes/complete-task.ts";
import { updateTask } from "../../model/changes/update-node.ts";
import { claimTask } from "../../model/claims/claim-task.ts";
import { specOf } from "../../model/testing/arbitrary-spec.ts";
import { nodesOf } from "../../model/testing/recount.ts";
import { createMemoryStore } from "../../stores/memory-store.ts";
import type { SpecStore } from "../../stores/spec-store.ts";
import type { VerificationDeps } from "./execute-verification.ts";
import { createVerificationTool } from "./verification-tool.ts";

const spec_id = "one";
const verify_id = "verify-1-1";
const place = { spec_id, verify_id };
const hashOf = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

let folder: string;
let store: SpecStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "verification-"));
  await mkdir(join(folder, "specs"));
  store = createMemoryStore();
  const document = specOf(
    "phase-1",
    "phase-1/task-1-1 completed",
    `phase-1/${verify_id}`,
    `phase-1/task-1-2 < ${verify_id}`,
  );
  const metadata = { evidence: "required", command: `sh -c 'echo "all is well"; pwd'` };
  Object.assign(nodesOf(document)[verify_id]!.metadata, metadata);
  await store.create(spec_id, { ...document, spec_id }, "active");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function registryWith(own: Partial<VerificationDeps> = {}): Registry {
  const running: VerificationDeps = {
    programs: () => Promise.resolve(["sh"]),
    folder: () => Promise.resolve(folder),
    outputs: () => Promise.resolve(join(folder, "specs")),
    ...own,
  };
  return createRegistry({
    name: "test",
    version: "1.0.0",
    tools: [createVerificationTool({ store: () => Promise.resolve(store) }, running)],
  });
}

async function call(action: string, args: object, own: Partial<VerificationDeps> = {}): Promise<Envelope> {
  return (await registryWith(own).call("verification", { action, ...place, ...args })) as Envelope;
}

async function metadataOf(id = verify_id) {
  return (await store.read(spec_id)).model.node(id)!.metadata;
}
const historyOf = async () => (await metadataOf())["verification_history"] as Record<string, unknown>[];
const complete = () => store.change(spec_id, completeTask({ task_id: verify_id }));
const kept = () => readdir(join(folder, "specs", ".foundry", "verify")).catch(() => []);

describe("verification add", () => {
  test("warns of a PASSED whose command failed", async () => {
    const failed = { result: "PASSED", command: "make check", exit_code: 2 };
    expect((await call("add", failed)).meta.warnings).toEqual([
      "PASSED was recorded although the command ended with exit code 2",
    ]);
  });

  test("records what it is told, with the output kept apart", async () => {
    const given = {
      ...{ result: "PASSED", command: "make check", exit_code: 0, notes: "By hand", output: "fine\n" },
    };
    const { data, success } = await call("add", given);
    const output_hash = hashOf("fine\n");
    const output_file = `.foundry/verify/${output_hash.slice(7)}.txt`;
    expect(success).toBe(true);
    const { revision } = await store.read(spec_id);
    expect(data).toMatchObject({
      ...place,
      result: "PASSED",
      is_current: true,
      output_hash,
      output_file,
      revision,
    });
    expect(await historyOf()).toEqual([
      {
        verified_at: expect.any(String),
        result: "PASSED",
        command: "make check",
        exit_code: 0,
        output_hash,
        output_file,
        work_hash: (data as Record<string, unknown>)["work_hash"],
        author: expect.any(String),
        notes: "By hand",
      },
    ]);
    expect(await readFile(join(folder, "specs", output_file), "utf8")).toBe("fine\n");
    expect((await complete()).result.status).toBe("completed");
  });

  test("writes nothing when it is dry", async () => {
    const { data } = await call("add", { result: "PASSED", output: "fine", dry_run: true });
    expect(data).toMatchObject({ result: "PASSED", output_hash: hashOf("fine") });
    expect(await historyOf()).toBeUndefined();
    expect(await kept()).toEqual([]);
  });

  test("is made once with a key", async () => {
    const registry = registryWith();
    const args = { action: "add", ...place, result: "PASSED", notes: "Seen", idempotency_key: "k" };
    const [first, second] = [
      await registry.call("verification", args),
      await registry.call("verification", args),
    ];
    expect(second.data).toEqual(first.data);
    expect(await historyOf()).toHaveLength(1);
  });

  test("yields to whoever holds the verification", async () => {
    const { result } = await store.change(spec_id, claimTask({ task_id: verify_id }));
    expect((await call("add", { result: "PASSED" })).data).toMatchObject({ error_code: "CONFLICT" });
    const { claim_token } = result;
    expect((await call("add", { result: "PASSED", notes: "Seen", claim_token })).success).toBe(true);
  });

  test.each([
    [{ result: "passed" }, "VALIDATION_ERROR"],
    [{}, "MISSING_REQUIRED"],
    [{ result: "PASSED", verify_id: "task-1-1" }, "VALIDATION_ERROR"],
    [{ result: "PASSED", verify_id: "verify-9" }, "TASK_NOT_FOUND"],
    [{ result: "PASSED", spec_id: "nowhere" }, "SPEC_NOT_FOUND"],
    [{ result: "PASSED", if_revision: "7-00000000" }, "VERSION_CONFLICT"],
    [{ result: "PASSED", notes: "x".repeat(20_001) }, "CONTENT_TOO_LARGE"],
    [{ result: "PASSED", output: "x".repeat(2 ** 23 + 1) }, "CONTENT_TOO_LARGE"],
  ])("refuses %#", async (args, error_code) => {
    const { success, data } = await call("add", args);
    expect({ success, data }).toMatchObject({ success: false, data: { error_code } });
    expect(await historyOf()).toBeUndefined();
  });
});

describe("verification execute", () => {
  /** A program that creates the file `began` and ends when the file `go` exists. */
  const waiting = ["sh", "-c", "touch began; until [ -e go ]; do sleep 0.02; done"];

  test("runs the command of the node where the specs folder is, and records it", async () => {
    const { data, success } = await call("execute", {});
    const output = `all is well\n${folder}\n`;
    const run = {
      argv: ["sh", "-c", 'echo "all is well"; pwd'],
      exit_code: 0,
      ended: "exit",
      duration_ms: expect.any(Number),
      output_hash: hashOf(output),
      output_file: `.foundry/verify/${hashOf(output).slice(7)}.txt`,
    };
    expect(success).toBe(true);
    expect(data).toEqual({
      ...place,
      result: "PASSED",
      ...run,
      output_bytes: output.length,
      output_tail: output,
      recorded: true,
      is_current: true,
      work_complete: true,
      reopened: false,
      revision: (await store.read(spec_id)).revision,
    });
    expect(await historyOf()).toMatchObject([{ result: "PASSED", ...run }]);
    expect(await readFile(join(folder, "specs", run.output_file), "utf8")).toBe(output);
    expect((await complete()).result.status).toBe("completed");
  });

  test("keeps the output in the archive where there is one", async () => {
    const archive = createMemoryArchive();
    const { data } = await call(
      "execute",
      { argv: ["sh", "-c", "echo hello"] },
      { outputs: async () => archive },
    );
    const { archive_id } = data as { archive_id: string };
    const entry = await archive.find("local", { archiveId: archive_id });
    expect(JSON.parse(Buffer.from(await archive.read(entry!)).toString())).toEqual({ output: "hello\n" });
    expect(await historyOf()).toMatchObject([{ archive_id }]);
    expect(await kept()).toEqual([]);
  });

  test.each([
    ["fails", ["sh", "-c", "exit 3"], { exit_code: 3, ended: "exit" }],
    ["hangs", ["sh", "-c", "exec sleep 1000"], { exit_code: null, ended: "timeout", signal: "SIGTERM" }],
    ["is killed", ["sh", "-c", "kill -9 $$"], { exit_code: null, ended: "signal", signal: "SIGKILL" }],
  ])("a command that %s is a success of the call, and FAILED", async (_, argv, wanted) => {
    const { success, data } = await call("execute", { argv, timeout_seconds: 1 });
    expect(success).toBe(true);
    expect(data).toMatchObject({ result: "FAILED", recorded: true, ...wanted });
    const { ended, exit_code } = wanted;
    expect(await historyOf()).toMatchObject([{ result: "FAILED", ended, exit_code }]);
    await expect(complete()).rejects.toThrow(/is FAILED, not PASSED/);
  });

  test("shows the end of the output, and nothing that a terminal would act upon", async () => {
    const script = `i=0; while [ $i -lt 500 ]; do echo "line $i"; i=$((i+1)); done; printf '\\033[31mred\\007\\n'`;
    const { data } = await call("execute", { argv: ["sh", "-c", script] });
    const { output_tail } = data as { output_tail: string };
    expect(output_tail).toHaveLength(2_000);
    expect(output_tail.endsWith("line 499\n\\x1b[31mred\\x07\n")).toBe(true);
  });

  test("a change of the work while it runs makes the record stale", async () => {
    const work = call("execute", { argv: waiting });
    await expect.poll(() => readdir(folder)).toContain("began");
    await store.change(spec_id, updateTask({ task_id: "task-1-1", title: "Another" }));
    await writeFile(join(folder, "go"), "");
    const { data, meta } = await work;
    expect(data).toMatchObject({ result: "PASSED", recorded: true, is_current: false });
    expect(meta.warnings).toEqual([
      "What verify-1-1 verifies changed while the verification ran, so the result does not count",
    ]);
    await expect(complete()).rejects.toThrow(/older than a change of task-1-1/);
  });

  test("what cannot be recorded after the run says what came of it", async () => {
    const work = call("execute", { argv: waiting });
    await expect.poll(() => readdir(folder)).toContain("began");
    await store.change(spec_id, claimTask({ task_id: verify_id, holder: "Ada" }));
    await writeFile(join(folder, "go"), "");
    const { success, data, error } = await work;
    expect(success).toBe(false);
    expect(error).toMatch(/^The command ran \(PASSED\), but the result was not recorded: /);
    expect(data).toMatchObject({
      error_code: "CONFLICT",
      details: { run: { result: "PASSED", exit_code: 0 } },
    });
  });

  test("says what it would run, and runs nothing", async () => {
    const { data } = await call("execute", { argv: ["sh", "-c", "touch ran"], dry_run: true });
    const { revision } = await store.read(spec_id);
    expect(data).toMatchObject({
      ...place,
      would_run: ["sh", "-c", "touch ran"],
      timeout_seconds: 300,
      revision,
    });
    expect(await readdir(folder)).toEqual(["specs"]);
    expect(await historyOf()).toBeUndefined();
  });

  test("records nothing where it is told so", async () => {
    const { data } = await call("execute", { record: false });
    expect(data).toMatchObject({ result: "PASSED", recorded: false });
    expect(await historyOf()).toBeUndefined();
  });

  test("is off unless the program is named", async () => {
    const off = await call("execute", {}, { programs: () => Promise.resolve([]) });
    expect(off.data).toMatchObject({
      error_code: "FEATURE_DISABLED",
      remediation: expect.stringContaining('verify_programs = ["sh"] in your own foundry.toml'),
    });
    const other = await call("execute", {}, { programs: () => Promise.resolve(["npm", "node"]) });
    expect(other).toMatchObject({
      error: 'Cannot run "sh": verifications may run npm, node',
      data: {
        error_code: "FORBIDDEN",
        remediation: expect.stringContaining(
          'verify_programs = ["npm", "node", "sh"] in your own foundry.toml',
        ),
      },
    });
    expect((await call("execute", {}, { programs: () => Promise.resolve(["*"]) })).success).toBe(true);
  });

  test.each([["/bin/sh"], ["./sh"], ["specs/../sh"], ["SH"], ["sh "], [""]])(
    "takes the name of a program as it is written: %j",
    async (program) => {
      const { data } = await call("execute", { argv: [program, "-c", "touch ran"] });
      expect(data).toMatchObject({ error_code: "FORBIDDEN" });
      expect(await readdir(folder)).toEqual(["specs"]);
    },
  );

  test.each([
    [{ command: "cd app && sh run" }, "INVALID_FORMAT", /"&" joins commands in a shell/],
    [{ command: " " }, "MISSING_REQUIRED", /neither the verify node nor the call has a command/],
    [{ command: 7, argv: [1] }, "MISSING_REQUIRED", /neither the verify node nor the call has a command/],
    [{ command: "exit", argv: ["sh", "-c", "exit 0"] }, undefined, /^$/],
  ])("a node that says %j", async (metadata, error_code, message) => {
    await store.change(spec_id, updateTask({ task_id: verify_id, metadata: { argv: null, ...metadata } }));
    const { data, error } = await call("execute", {});
    expect((data as Record<string, unknown>)["error_code"]).toBe(error_code);
    expect(error ?? "").toMatch(message);
  });

  test.each([
    [{ argv: [] }, "VALIDATION_ERROR"],
    [{ argv: "sh" }, "INVALID_FORMAT"],
    [{ argv: ["sh", "a\0b"] }, "INVALID_FORMAT"],
    [{ argv: ["sh", "x".repeat(20_001)], timeout_seconds: 5 }, "CONTENT_TOO_LARGE"],
    [{ timeout_seconds: 0 }, "VALIDATION_ERROR"],
    [{ timeout_seconds: 3_601 }, "VALIDATION_ERROR"],
    [{ verify_id: "task-1-1" }, "VALIDATION_ERROR"],
    [{ spec_id: "nowhere" }, "SPEC_NOT_FOUND"],
    [{ if_revision: "7-00000000" }, "VERSION_CONFLICT"],
  ])("refuses %#", async (args, error_code) => {
    const { data, error } = await call("execute", args);
    expect(data).toMatchObject({ error_code });
    expect(error).not.toMatch(/was run/);
    expect(await historyOf()).toBeUndefined();
  });

  test("does not run for nothing where somebody else holds the verification", async () => {
    await store.change(spec_id, claimTask({ task_id: verify_id }));
    expect((await call("execute", { argv: ["sh", "-c", "touch ran"] })).data).toMatchObject({
      error_code: "CONFLICT",
    });
    expect(await readdir(folder)).toEqual(["specs"]);
  });

  test("records although the output cannot be kept, and says so", async () => {
    await writeFile(join(folder, "specs", ".foundry"), "in the way");
    const { data, meta } = await call("execute", { argv: ["sh", "-c", "echo hello"] });
    expect(data).toMatchObject({ result: "PASSED", recorded: true, output_hash: hashOf("hello\n") });
    expect(meta.warnings).toEqual(["The output could not be stored; its hash is recorded"]);
  });

  test("keeps the newest fifty outputs", async () => {
    const verify = join(folder, "specs", ".foundry", "verify");
    await mkdir(verify, { recursive: true });
    const names = Array.from({ length: 55 }, (_, index) => `${hashOf(String(index)).slice(7)}.txt`);
    for (const [index, name] of names.entries()) {
      await writeFile(join(verify, name), "");
      await utimes(join(verify, name), 1_000 + index, 1_000 + index);
    }
    await writeFile(join(verify, "mine.txt"), "");
    const { data } = await call("execute", { argv: ["sh", "-c", "echo hello"] });
    const { output_file } = data as { output_file: string };
    const wanted = [...names.slice(6), output_file.split("/").at(-1), "mine.txt"];
    expect((await kept()).toSorted()).toEqual(wanted.toSorted());
  });

  test("tells clients that it reaches out", () => {
    const tool = createVerificationTool({ store: () => Promise.resolve(store) }, {} as VerificationDeps);
    const { readOnly, idempotent, destructive, openWorld } = tool.actions.get("execute")!;
    expect({ readOnly, idempotent, destructive, openWorld }).toEqual({
      readOnly: undefined,
      idempotent: undefined,
      destructive: true,
      openWorld: true,
    });
  });
});
