import { spawnSync } from "node:child_process";
import { chmod, cp, mkdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkEnvelope, type Envelope } from "@foundry-mcp/contract";
import type { Connection } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCli, cliScript, openStdioServer, runProgram } from "./programs.ts";
import { createWorkspace, filesBelow, specOf, type TestWorkspace } from "./workspace.ts";

let workspace: TestWorkspace;
let server: Connection;
const good = specOf("good");
const goodText = `${JSON.stringify(good, null, 2)}\n`;

/** Files that are not specs, each with the location that the failure names. */
const broken: Readonly<Record<string, { content: string | Uint8Array; at?: object; says: RegExp }>> = {
  empty: { content: "", at: { line: 1, column: 1 }, says: /line 1, column 1/ },
  "white-space": { content: "\n\n  ", at: { line: 3, column: 3 }, says: /line 3, column 3/ },
  truncated: { content: goodText.slice(0, 900), at: { line: expect.any(Number) }, says: /line \d+, column/ },
  comma: { content: '{\n  "title": "x",\n}', at: { line: 3, column: 1 }, says: /line 3, column 1/ },
  binary: { content: Uint8Array.from({ length: 300 }, (_, index) => (index * 37) % 256), says: /line 1/ },
  "latin-1": { content: Buffer.from('{"title": "caf\xe9"}', "latin1"), says: /UTF-8|line 1/ },
  "half-surrogate": {
    content: Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    says: /UTF-8|line 1/,
  },
  "latin-1-spec": {
    content: Buffer.from(goodText.replace("Sample good", "caf\xe9"), "latin1"),
    says: /UTF-8|line \d+/,
  },
  list: { content: "[1, 2]", says: /a list, not an object/ },
  word: { content: '"spec"', says: /string, not an object/ },
  bare: { content: "{}", says: /no object called hierarchy/ },
  "list-of-nodes": { content: '{"hierarchy": []}', says: /no object called hierarchy/ },
};

beforeAll(async () => {
  workspace = await createWorkspace();
  await workspace.write("active/good.json", goodText);
  for (const [id, { content }] of Object.entries(broken))
    await workspace.write(`pending/${id}.json`, content);
  await mkdir(join(workspace.specs, "pending", "folder.json"));
  server = await openStdioServer(workspace.folder);
});
afterAll(async () => {
  await server.close();
  await workspace.remove();
});

const call = async (tool: string, args: object): Promise<Envelope> => {
  const envelope = await server.callTool(tool, args);
  expect(checkEnvelope(envelope).filter(({ level }) => level === "MUST")).toEqual([]);
  return envelope;
};
/** Checks that a failure has a remedy. */
function expectFailure(envelope: Envelope, code: string | RegExp, details: object = {}): void {
  const { success, data } = envelope;
  expect({ success, data }, JSON.stringify(envelope).slice(0, 2_000)).toMatchObject({
    success: false,
    data: {
      error_code: typeof code === "string" ? code : expect.stringMatching(code),
      remediation: expect.stringMatching(/\w/),
      details,
    },
  });
}
const stillServes = async () =>
  expect((await call("task", { action: "next", spec_id: "good" })).data).toMatchObject({
    task_id: "task-1-1",
  });

describe("a file that is no spec", () => {
  const every = [...Object.keys(broken), "folder"];

  it("is named in the list beside the specs that are some", async () => {
    const { success, data, meta } = await call("spec", { action: "list" });
    expect(success).toBe(true);
    expect((data["specs"] as { id: string }[]).map(({ id }) => id)).toEqual(["good"]);
    const [detail] = meta.warning_details ?? [];
    expect(detail).toMatchObject({ code: "PARTIAL_FAILURE", severity: "warning" });
    const { problems } = (detail?.context ?? {}) as { problems: { path: string; message: string }[] };
    expect(problems.map(({ path }) => path)).toEqual(every.map((id) => `pending/${id}.json`).toSorted());
    for (const { path, message } of problems) expect(message).toContain(path);
    for (const [id, { at }] of Object.entries(broken))
      if (at !== undefined)
        expect(problems.find(({ path }) => path === `pending/${id}.json`)).toMatchObject(at);
    const cli = await callCli(["specs", "find"], { cwd: workspace.folder });
    expect([cli.data, cli.meta.warnings]).toEqual([data, meta.warnings]);
  });

  it.each(Object.entries(broken))(
    "%s: every call says what is wrong, and where",
    async (id, { content, at, says }) => {
      const calls: readonly [string, object][] = [
        ["spec", { action: "get", spec_id: id }],
        ["spec", { action: "find", spec_id: id }],
        ["spec", { action: "fix", spec_id: id }],
        ["spec", { action: "search", query: "x", spec_id: id }],
        ["task", { action: "next", spec_id: id }],
        ["task", { action: "complete", spec_id: id, task_id: "task-1-1" }],
        ["lifecycle", { action: "activate", spec_id: id }],
        ["journal", { action: "add", spec_id: id, title: "x", content: "y" }],
      ];
      for (const [tool, args] of calls) {
        const envelope = await call(tool, args);
        expectFailure(envelope, "INVALID_FORMAT", { path: `pending/${id}.json`, ...at });
        expect(envelope.error).toMatch(says);
        expect(envelope.error).not.toContain(workspace.folder);
      }
      // `validate` succeeds, because it reports the faults of the file.
      const { success, data } = await call("spec", { action: "validate", spec_id: id });
      expect([success, data]).toMatchObject([true, { is_valid: false, revision: null }]);
      expect(data["error_count"]).toBeGreaterThan(0);
      const strict = await call("spec", { action: "validate", spec_id: id, strict: true });
      expectFailure(strict, "VALIDATION_ERROR", { spec_id: id });
      expect(await readFile(join(workspace.specs, "pending", `${id}.json`))).toEqual(Buffer.from(content));
      await stillServes();
    },
  );

  it("folder: a folder in the place of the file", async () => {
    for (const action of ["get", "validate", "fix"])
      expectFailure(await call("spec", { action, spec_id: "folder" }), "INVALID_PATH", {
        path: "pending/folder.json",
      });
    expectFailure(await call("lifecycle", { action: "activate", spec_id: "folder" }), "INVALID_PATH");
    await stillServes();
  });

  it("a search and a new spec pass it by", async () => {
    const { success, data } = await call("spec", { action: "search", query: "task-1-2" });
    expect(success).toBe(true);
    expect(data["total_count"]).toBeGreaterThan(0);
    const { success: isMade, data: made } = await call("authoring", {
      action: "spec-create",
      name: "Folder",
    });
    expect([isMade, made]).toMatchObject([true, { status: "pending" }]);
  });
});

describe("valid JSON of the wrong shape within", () => {
  const leaf = good.hierarchy as Record<string, object>;
  const shapes: Readonly<Record<string, object>> = {
    "no-nodes": { hierarchy: {} },
    "no-objects": { hierarchy: { "spec-root": 5, "task-1-1": null, "task-1-2": [] } },
    "odd-fields": {
      spec_id: 7,
      title: { a: 1 },
      hierarchy: {
        "spec-root": {
          type: 1,
          title: null,
          status: [],
          children: "phase-1",
          metadata: 3,
          dependencies: "x",
        },
        "phase-1": {
          type: "phase",
          children: [1, null, "task-1-1", "gone"],
          dependencies: { blocked_by: 9 },
        },
        "task-1-1": { type: "task", parent: 5, total_tasks: "many", metadata: [], children: {} },
      },
      journal: "none",
    },
    "parent-cycle": {
      ...good,
      hierarchy: {
        ...leaf,
        "phase-1": { ...leaf["phase-1"], parent: "task-1-1" },
        "task-1-1": { ...leaf["task-1-1"], children: ["phase-1"] },
      },
    },
    "own-parent": {
      ...good,
      hierarchy: { ...leaf, "task-1-1": { ...leaf["task-1-1"], parent: "task-1-1", children: ["task-1-1"] } },
    },
    "dependency-cycle": specOf("dependency-cycle", {
      blockedBy: { "task-1-1": ["task-1-2"], "task-1-2": ["task-1-3"], "task-1-3": ["task-1-1"] },
    }),
    prototype: JSON.parse(
      '{"hierarchy": {"__proto__": {"type": "task"}, "constructor": {"children": ["__proto__"]}}}',
    ),
  };
  const deep = `{"hierarchy": {"spec-root": {"children": []}}, "metadata": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
  let other: TestWorkspace;
  let shaped: Connection;
  beforeAll(async () => {
    other = await createWorkspace();
    await other.write("active/good.json", goodText);
    for (const [id, shape] of Object.entries(shapes)) await other.write(`active/${id}.json`, shape);
    await other.write("active/deep.json", deep);
    shaped = await openStdioServer(other.folder);
  });
  afterAll(async () => {
    await shaped.close();
    await other.remove();
  });

  it.each([...Object.keys(shapes), "deep"])(
    "%s: every call ends with an envelope, and nothing is lost",
    async (spec_id) => {
      const task = { spec_id, task_id: "task-1-1" };
      const calls: readonly [string, object][] = [
        ["spec", { action: "list" }],
        ["spec", { action: "get", spec_id }],
        ["spec", { action: "find", spec_id }],
        ["spec", { action: "validate", spec_id }],
        ["spec", { action: "fix", spec_id, dry_run: true }],
        ["spec", { action: "stats", spec_id }],
        ["spec", { action: "analyze-deps", spec_id }],
        ["spec", { action: "search", query: "task", spec_id }],
        ["task", { action: "next", spec_id }],
        ["task", { action: "prepare", spec_id }],
        ["task", { action: "info", ...task }],
        ["task", { action: "query", spec_id }],
        ["task", { action: "hierarchy", spec_id, max_depth: 100 }],
        ["task", { action: "progress", spec_id }],
        ["task", { action: "check-deps", ...task }],
        ["task", { action: "list-blocked", spec_id }],
        ["journal", { action: "list", spec_id }],
        ["lifecycle", { action: "state", spec_id }],
        ["task", { action: "start", ...task }],
        ["task", { action: "complete", ...task }],
        ["task", { action: "move", ...task, position: 0 }],
        ["journal", { action: "add", spec_id, title: "x", content: "y" }],
      ];
      const before = JSON.parse(await readFile(join(other.specs, "active", `${spec_id}.json`), "utf8"));
      for (const [tool, args] of calls) {
        const envelope = await shaped.callTool(tool, args);
        // If a spec is nested too deeply for an envelope, the answer reports this. No other unexpected failure is
        // allowed.
        const isTooDeep = spec_id === "deep" && JSON.stringify(args).includes('"get"');
        if (!isTooDeep)
          expect(envelope.data["error_code"], JSON.stringify([tool, args])).not.toBe("INTERNAL_ERROR");
        if (!envelope.success) expectFailure(envelope, /^[A-Z_]+$/);
      }
      const after = JSON.parse(await readFile(join(other.specs, "active", `${spec_id}.json`), "utf8"));
      expect(Object.keys(after.hierarchy).toSorted()).toEqual(
        expect.arrayContaining(Object.keys(before.hierarchy).toSorted()),
      );
      expect((await shaped.callTool("task", { action: "next", spec_id: "good" })).success).toBe(true);
    },
  );

  it("a cycle is found, and none can be made", async () => {
    const { data } = await shaped.callTool("spec", { action: "validate", spec_id: "dependency-cycle" });
    const codes = (data["diagnostics"] as { code: string }[]).map(({ code }) => code);
    expect([data["is_valid"], codes]).toEqual([false, expect.arrayContaining(["DEPENDENCY_CYCLE"])]);
    const nesting = await shaped.callTool("spec", { action: "validate", spec_id: "parent-cycle" });
    expect(nesting.data["is_valid"]).toBe(false);
    const add = (task_id: string, target_id: string) =>
      shaped.callTool("task", { action: "add-dependency", spec_id: "good", task_id, target_id });
    expect((await add("task-1-1", "task-1-2")).success).toBe(true);
    const closing = await add("task-1-2", "task-1-1");
    expectFailure(closing, "CIRCULAR_DEPENDENCY");
    expect(JSON.stringify(closing.data["details"])).toMatch(/task-1-1.*task-1-2|task-1-2.*task-1-1/);
    const inside = await shaped.callTool("task", {
      action: "move",
      spec_id: "good",
      task_id: "task-1-3",
      parent: "task-1-3",
    });
    expectFailure(inside, /^(CIRCULAR_DEPENDENCY|VALIDATION_ERROR|INVALID_STATE)$/);
  });

  it("fix repairs what it can, twice the same, and loses no node", async () => {
    for (const spec_id of ["parent-cycle", "own-parent", "odd-fields"]) {
      const path = join(other.specs, "active", `${spec_id}.json`);
      const before = Object.keys(JSON.parse(await readFile(path, "utf8")).hierarchy);
      const first = await shaped.callTool("spec", { action: "fix", spec_id });
      if (!first.success) expectFailure(first, /^[A-Z_]+$/);
      const once = await readFile(path, "utf8");
      const second = await shaped.callTool("spec", { action: "fix", spec_id });
      expect(await readFile(path, "utf8"), spec_id).toBe(once);
      if (second.success) expect(second.data, spec_id).toMatchObject({ applied_count: 0 });
      expect(Object.keys(JSON.parse(once).hierarchy)).toEqual(expect.arrayContaining(before));
    }
  });
});

describe("ids that are paths, and others that are none", () => {
  const ids = [
    "../active/good",
    "..\\active\\good",
    "/etc/passwd",
    "active/good",
    "good\u0000",
    ".",
    "..",
    "good/",
    "%2e%2e%2fgood",
    "good.json/../good",
    "Invalid Spec ID!",
    "g\u00f6\u00f6d",
    "\ud800",
    "CON:",
    "-rf",
    `${"a".repeat(10_000_000)}`,
  ];
  it.each(ids.map((id) => [id.slice(0, 40), id]))("%j is nothing that there is", async (_shown, spec_id) => {
    const before = await filesBelow(workspace.folder);
    for (const [tool, args] of [
      ["spec", { action: "get" }],
      ["task", { action: "complete", task_id: "task-1-1" }],
      ["lifecycle", { action: "archive" }],
    ] as const) {
      const envelope = await call(tool, { ...args, spec_id });
      // An id in a valid form is not found. Any other id is invalid.
      if (/^[a-z0-9-]+$/.test(spec_id)) expectFailure(envelope, "SPEC_NOT_FOUND", { resource_type: "spec" });
      else expectFailure(envelope, "VALIDATION_ERROR", { field: "spec_id", constraint: "pattern" });
      expect(JSON.stringify(envelope).length).toBeLessThan(2_000);
    }
    expect(await filesBelow(workspace.folder)).toEqual(before);
  });

  it("a task of such a name is not there either", async () => {
    for (const task_id of ["../task-1-1", "__proto__", "constructor", "a".repeat(10_000_000)]) {
      const envelope = await call("task", { action: "info", spec_id: "good", task_id });
      expectFailure(envelope, task_id === "constructor" ? "TASK_NOT_FOUND" : "VALIDATION_ERROR");
      expect(JSON.stringify(envelope).length).toBeLessThan(2_000);
    }
  });
});

describe("texts of 10 MB", () => {
  const long = "x".repeat(10_000_000);
  it.each([
    ["task", { action: "complete", spec_id: "good", task_id: "task-1-1", note: long }],
    ["task", { action: "start", spec_id: "good", task_id: "task-1-1", note: long }],
    ["task", { action: "block", spec_id: "good", task_id: "task-1-1", reason: long }],
    ["task", { action: "add", spec_id: "good", parent: "phase-1", title: long }],
    ["task", { action: "update", spec_id: "good", task_id: "task-1-1", description: long }],
    ["task", { action: "update", spec_id: "good", task_id: "task-1-1", metadata: { other: long } }],
    ["task", { action: "query", spec_id: "good", cursor: long }],
    ["journal", { action: "add", spec_id: "good", title: "x", content: long }],
    ["authoring", { action: "spec-create", name: long }],
    ["authoring", { action: "phase-add", spec_id: "good", title: "x", purpose: long }],
    ["spec", { action: "search", query: long }],
    ["spec", { action: long }],
  ])("%s %j", async (tool, args) => {
    const before = await readFile(join(workspace.specs, "active", "good.json"));
    const envelope = await call(tool, args);
    expectFailure(envelope, /^(CONTENT_TOO_LARGE|VALIDATION_ERROR|INVALID_CURSOR)$/);
    expect(JSON.stringify(envelope).length).toBeLessThan(4_000);
    expect(await readFile(join(workspace.specs, "active", "good.json"))).toEqual(before);
  });

  it("from a file on the command line", async () => {
    const file = join(workspace.folder, "long.txt");
    await writeFile(file, long);
    const envelope = await callCli(["tasks", "complete", "good", "task-1-1", "--note", `@${file}`], {
      cwd: workspace.folder,
    });
    expectFailure(envelope, "CONTENT_TOO_LARGE", { field: "note", limit: 20_000 });
  });
});

describe("a spec beyond the limits", () => {
  it("of nodes, or of bytes, is refused by name; others are served", async () => {
    const huge = await createWorkspace();
    await huge.write("active/good.json", goodText);
    const nodes = Array.from({ length: 100_001 }, (_, index) => `"n${index}":{"type":"task","children":[]}`);
    await huge.write("active/many.json", `{"hierarchy":{${nodes.join(",")}}}`);
    const heavy = await huge.write("active/heavy.json", "{");
    await truncate(heavy, 64 * 2 ** 20 + 1);
    const connection = await openStdioServer(huge.folder);
    const list = await connection.callTool("spec", { action: "list" });
    expect(list.data).toMatchObject({ specs: [{ id: "good" }], total_count: 1 });
    expect(list.meta.warning_details).toMatchObject([
      {
        code: "PARTIAL_FAILURE",
        context: { problems: [{ path: "active/heavy.json" }, { path: "active/many.json" }] },
      },
    ]);
    for (const spec_id of ["many", "heavy"]) {
      const envelope = await connection.callTool("task", { action: "next", spec_id });
      expectFailure(envelope, "CONTENT_TOO_LARGE", {
        path: `active/${spec_id}.json`,
        max_nodes: 100_000,
        max_links: 1_000_000,
        max_bytes: 64 * 2 ** 20,
      });
      const change = { action: "complete", spec_id, task_id: "n1" };
      expectFailure(await connection.callTool("task", change), "CONTENT_TOO_LARGE");
    }
    expect((await stat(heavy)).size).toBe(64 * 2 ** 20 + 1);
    await connection.close();
    await huge.remove();
  });
});

const isRoot = process.getuid?.() === 0;
const asNobody = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
const canBeNobody = !isRoot || spawnSync("setpriv", ["--version"]).status === 0;
const ownMounts = isRoot ? ["unshare", "--mount"] : ["unshare", "--user", "--map-root-user", "--mount"];
const canMount =
  spawnSync(ownMounts[0] ?? "", [...ownMounts.slice(1), "mount", "-t", "tmpfs", "none", "/tmp"]).status === 0;

describe("a disk that cannot be written", () => {
  const complete = ["tasks", "complete", "good", "task-1-1"];

  async function aside(): Promise<TestWorkspace> {
    const place = await createWorkspace();
    await place.write("active/good.json", goodText);
    // Other users must be able to enter the folder.
    await chmod(place.folder, 0o755);
    return place;
  }
  /**
   * Runs commands in a separate mount namespace, which the commands of `setup` prepare. `$0` is the specs folder.
   */
  async function inMounts(place: TestWorkspace, setup: string): Promise<readonly string[]> {
    const cli = (words: string) =>
      `${JSON.stringify(process.execPath)} ${JSON.stringify(cliScript)} ${words}`;
    const script = `${setup}
${cli(complete.join(" "))}
cmp "$0/active/good.json" "$1" && echo '"same"'
${cli("task-is-no-command")} >/dev/null
${cli("specs find")}
ls -A "$0/active"`;
    const copy = join(place.folder, "copy.json");
    await writeFile(copy, goodText);
    const { stdout } = await runProgram([...ownMounts, "sh", "-c", script, place.specs, copy], {
      cwd: place.folder,
    });
    return stdout.trimEnd().split("\n");
  }
  async function expectUnchanged(lines: readonly string[], code: string, details: object): Promise<void> {
    const [failure = "", same, list = "", ...names] = lines;
    expectFailure(JSON.parse(failure), code, details);
    expect(same).toBe('"same"');
    expect(JSON.parse(list).data).toMatchObject({ specs: [{ id: "good" }] });
    expect(names).toEqual(["good.json"]);
  }

  it.skipIf(!canBeNobody)("for want of permission: reads go on, a change says which file", async () => {
    const place = await aside();
    const list = await callCli(["specs", "find"], { cwd: place.folder, wrap: asNobody });
    expect(list.data).toMatchObject({ specs: [{ id: "good" }] });
    const { data, error } = await callCli(complete, { cwd: place.folder, wrap: asNobody });
    expect(data).toMatchObject({
      error_code: "FORBIDDEN",
      error_type: "authorization",
      remediation: expect.stringContaining("Run as the owner of the folder, or let its owner share it"),
      details: { path: ".foundry/locks", reason: "EACCES" },
    });
    expect(error).not.toContain(place.folder);
    // The user may write the folder for locks and state, so only the spec file is not writable.
    await mkdir(join(place.specs, ".foundry"));
    await chmod(join(place.specs, ".foundry"), 0o777);
    const second = await callCli(complete, { cwd: place.folder, wrap: asNobody });
    expectFailure(second, "FORBIDDEN", { path: "active/good.json", reason: "EACCES" });
    expect(await readFile(join(place.specs, "active/good.json"), "utf8")).toBe(goodText);
    await place.remove();
  });

  it.skipIf(!canBeNobody)("nor read: the file is named, and others are served", async () => {
    const place = await aside();
    const secret = await place.write("active/secret.json", specOf("secret"));
    await chmod(secret, 0o000);
    const list = await callCli(["specs", "find"], { cwd: place.folder, wrap: asNobody });
    expect(list.data).toMatchObject({ specs: [{ id: "good" }] });
    expect(list.meta.warning_details).toMatchObject([
      { code: "PARTIAL_FAILURE", context: { problems: [{ path: "active/secret.json" }] } },
    ]);
    const next = await callCli(["tasks", "next", "secret"], { cwd: place.folder, wrap: asNobody });
    expectFailure(next, "FORBIDDEN", { path: "active/secret.json" });
    await chmod(join(place.specs, "active"), 0o000);
    expectFailure(
      await callCli(["tasks", "next", "good"], { cwd: place.folder, wrap: asNobody }),
      "FORBIDDEN",
    );
    expectFailure(await callCli(["specs", "find"], { cwd: place.folder, wrap: asNobody }), "FORBIDDEN", {
      path: "active",
    });
    await place.remove();
  });

  it.skipIf(!canMount)("because it is read-only", async () => {
    const place = await aside();
    const lines = await inMounts(place, 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0"');
    await expectUnchanged(lines, "UNAVAILABLE", { reason: "EROFS" });
    await place.remove();
  });

  it.skipIf(!canMount)("because it is full", async () => {
    const place = await aside();
    await cp(place.specs, join(place.folder, "before"), { recursive: true });
    const setup = `mount -t tmpfs -o size=64k none "$0"
cp -r "$0/../before/." "$0"
dd if=/dev/zero of="$0/filler" bs=1k 2>/dev/null`;
    const lines = await inMounts(place, setup);
    await expectUnchanged(lines, "RESOURCE_EXHAUSTED", { reason: "ENOSPC" });
    await place.remove();
  });

  it.skipIf(!canMount)("because it is full when the spec itself is written", async () => {
    const place = await aside();
    await cp(place.specs, join(place.folder, "before"), { recursive: true });
    // The disk has room for lock and state, but not for another copy of the spec.
    const setup = `mount -t tmpfs -o size=64k none "$0"
cp -r "$0/../before/." "$0"
mkdir -p "$0/.foundry/locks" "$0/.foundry/state"
dd if=/dev/zero of="$0/filler" bs=1k 2>/dev/null
truncate -s -8k "$0/filler"
head -c 4096 /dev/zero > "$0/more"`;
    const lines = await inMounts(place, setup);
    const { data } = JSON.parse(lines[0] ?? "");
    await expectUnchanged(lines, "RESOURCE_EXHAUSTED", { reason: "ENOSPC", path: data.details.path });
    await place.remove();
  });

  it("because files may not grow", async () => {
    const place = await aside();
    const big = specOf("big", { tasks: 40 });
    await place.write("active/big.json", big);
    const wrap = ["sh", "-c", 'trap \'\' XFSZ; ulimit -f 8; exec "$0" "$@"'];
    const envelope = await callCli(["tasks", "complete", "big", "task-1-1"], { cwd: place.folder, wrap });
    expectFailure(envelope, "RESOURCE_EXHAUSTED", { path: "active/big.json", reason: "EFBIG" });
    expect(JSON.parse(await readFile(join(place.specs, "active/big.json"), "utf8"))).toEqual(big);
    expect(await filesBelow(join(place.specs, "active"))).toEqual(["big.json", "good.json"]);
    await place.remove();
  });
});
