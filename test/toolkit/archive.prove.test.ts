import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type ContentEntry, createFileArchive } from "@foundry-mcp/toolkit/archive";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createArchiveRegistry, longText } from "./archive-tools.ts";
import { compiledScript } from "./sdk-clients.ts";

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "archive-")), "content");
});
afterEach(() => rm(join(folder, ".."), { recursive: true, force: true }));

interface Worker {
  readonly process: ChildProcess;
  /** Returns the next line of the worker's output. */
  next(): Promise<unknown>;
  /** Returns the last output of the worker after it has ended. */
  end(): Promise<unknown>;
}

/** Starts a worker. `wrap` is a command that runs the worker with restrictions. */
function start(args: readonly string[], wrap: readonly string[] = []): Worker {
  const [command = "", ...rest] = [...wrap, process.execPath, compiledScript("archive-worker"), ...args];
  const child = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`worker ${args[0]} has said nothing more`);
    return JSON.parse(value) as unknown;
  };
  return {
    process: child,
    next,
    async end() {
      const said = await next();
      if (child.exitCode === null) await once(child, "exit");
      expect(child.exitCode).toBe(0);
      return said;
    },
  };
}

/** Returns the files in a folder of the archive, at any depth. */
async function filesIn(part: string): Promise<string[]> {
  const path = join(folder, part);
  if (!existsSync(path)) return [];
  const found = await readdir(path, { recursive: true, withFileTypes: true });
  return found.filter((file) => file.isFile()).map(({ name }) => name);
}

const original = JSON.stringify({ title: "Long", text: longText(80_000), tags: ["a", "b"] });

describe("several processes", () => {
  it("fetch content that another has archived, unless it belongs to another principal", async () => {
    const registry = createArchiveRegistry(createFileArchive({ folder }), 2_000);
    const { meta } = await registry.call("long", { length: 80_000 });
    const [archiveId = ""] = Object.keys(meta.content_archive_hashes ?? {});
    expect(await start(["get", folder, archiveId]).end()).toEqual({ text: original });
    expect(await start(["get", folder, archiveId, "bob"]).end()).toMatchObject({
      error_code: "CONTENT_NOT_FOUND",
      details: { resource_id: archiveId },
    });
  });

  it.each([
    ["one principal", 1],
    ["eight principals", 8],
  ])("that put the same 2 MB at once for %s leave one copy", async (_name, principals) => {
    const workers = Array.from({ length: 8 }, (_, index) =>
      start(["same", folder, `p${index % principals}`]),
    );
    for (const worker of workers) expect(await worker.next()).toBe("ready");
    for (const worker of workers) worker.process.stdin?.write("go\n");
    const entries = (await Promise.all(workers.map((worker) => worker.end()))) as ContentEntry[];
    expect(new Set(entries.map(({ archiveId }) => archiveId)).size).toBe(principals);
    expect(await filesIn("objects")).toEqual([entries[0]?.hash.slice("sha256:".length)]);
    expect(await filesIn("entries")).toHaveLength(principals);
    expect([...(await filesIn("tmp")), ...(await filesIn("aside"))]).toEqual([]);
    const archive = createFileArchive({ folder });
    for (const entry of entries) expect((await archive.read(entry)).length).toBe(2_000_000);
  });

  it("read complete content or none while others write and sweep", async () => {
    // All contents together have 9 MB, so that puts evict content that is being read.
    const writers = Array.from({ length: 2 }, () => start(["flood", folder, "3000000"]));
    for (const writer of writers) await writer.next();
    const readers = Array.from({ length: 3 }, () => start(["read", folder]));
    for (const reader of readers) await reader.next();
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    for (const reader of readers) reader.process.stdin?.end();
    const outcomes = (await Promise.all(readers.map((reader) => reader.end()))) as {
      read: number;
      gone: number;
      faults: string[];
    }[];
    for (const writer of writers) expect(writer.process.exitCode).toBeNull();
    await Promise.all(writers.map((writer) => kill(writer)));
    expect(outcomes.flatMap(({ faults }) => faults)).toEqual([]);
    const sum = (key: "read" | "gone") => outcomes.reduce((total, outcome) => total + outcome[key], 0);
    expect(sum("read")).toBeGreaterThan(100);
    expect(sum("gone")).toBeGreaterThan(0);
  });

  it("that are killed at any moment leave no unreadable content: 100 times", async () => {
    let verified = 0;
    for (let killed = 0; killed < 100; ) {
      const writers = Array.from({ length: 4 }, () => start(["flood", folder, "5000000"]));
      await Promise.all(
        writers.map(async (writer) => {
          await writer.next();
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
          await kill(writer);
        }),
      );
      killed += writers.length;
      verified += await verifyAll();
    }
    expect(verified).toBeGreaterThan(500);
  });
});

async function kill({ process: child }: Worker): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Reads every existing entry, while no process writes. */
async function verifyAll(): Promise<number> {
  const archive = createFileArchive({ folder });
  const lists = await Promise.all([0, 1, 2].map((index) => archive.list(`principal ${index}`)));
  for (const entry of lists.flat()) expect((await archive.read(entry)).length).toBe(entry.size);
  expect(lists.flat()).toHaveLength((await filesIn("entries")).length);
  return lists.flat().length;
}

/** The lengths of texts that have about 1,500 and 30,000 tokens. The budget is 1,000 tokens. */
const lengths = ["2600", "80000"];
const isRoot = process.getuid?.() === 0;

/**
 * Checks that an answer is sent in full, up to twice its budget, if its content cannot be archived. Only the log
 * contains the reason.
 */
function expectFallback(said: unknown, code: string): void {
  const { envelopes, failures } = said as { envelopes: Record<string, unknown>[]; failures: unknown[] };
  const message =
    "The answer is longer than 1000 tokens and sent whole, because there is no archive for the rest";
  expect(envelopes).toMatchObject([
    {
      success: true,
      data: { title: "Long", text: longText(2_600), tags: ["a", "b"] },
      error: null,
      meta: {
        warnings: [message],
        warning_details: [
          { code: "FALLBACK_USED", message, context: { reason: "archive_failed", max_tokens: 1_000 } },
        ],
      },
    },
    {
      success: false,
      data: {
        error_code: "CONTENT_TOO_LARGE",
        error_type: "validation",
        remediation: "Request less, or repeat the call with a larger max_tokens; 0 means no limit.",
      },
    },
  ]);
  expect(JSON.stringify(envelopes)).not.toContain("content_archive_hashes");
  expect(JSON.stringify(envelopes)).not.toContain(folder);
  expect(failures).toEqual([code, code]);
}

describe("an archive that cannot be written", () => {
  it("is created where its folder is missing", async () => {
    await rm(join(folder, ".."), { recursive: true });
    const { envelopes, failures } = (await start(["call", folder, ...lengths]).end()) as {
      envelopes: { success: boolean; meta: object }[];
      failures: unknown[];
    };
    expect(failures).toEqual([]);
    for (const { success, meta } of envelopes) {
      expect(success).toBe(true);
      expect(meta).toHaveProperty("content_archive_hashes");
    }
    expect(await filesIn("objects")).toHaveLength(2);
  });

  it("is reported where a file has the place of its folder", async () => {
    await writeFile(folder, "no folder");
    expectFallback(await start(["call", folder, ...lengths]).end(), "ENOTDIR");
  });

  const asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
  const canBeNobody = isRoot && spawnSync("setpriv", ["--version"]).status === 0;
  it.skipIf(isRoot && !canBeNobody)(
    `is one without permission to write${isRoot && !canBeNobody ? " (root may write anywhere, and setpriv is missing)" : ""}`,
    async () => {
      await chmod(join(folder, ".."), 0o755);
      await mkdir(folder, { mode: 0o555 });
      const wrap = canBeNobody ? asNobody : [];
      expectFallback(await start(["call", folder, ...lengths], wrap).end(), "EACCES");
    },
  );

  // The worker has a separate file system, which only the worker sees and which is removed when the worker ends.
  const ownMounts = isRoot ? ["unshare", "--mount"] : ["unshare", "--user", "--map-root-user", "--mount"];
  const mountAndFill =
    'mount -t tmpfs -o size=64k none "$0" && { dd if=/dev/zero of="$0/filler" bs=1k 2>/dev/null; true; } && exec "$@"';
  const canMount =
    spawnSync(ownMounts[0] ?? "", [...ownMounts.slice(1), "mount", "-t", "tmpfs", "none", "/tmp"]).status ===
    0;
  it.skipIf(!canMount)(
    `is on a full disk${canMount ? "" : " (no file system can be mounted here)"}`,
    async () => {
      await mkdir(folder);
      const wrap = [...ownMounts, "sh", "-c", mountAndFill, folder];
      expectFallback(await start(["call", folder, ...lengths], wrap).end(), "ENOSPC");
    },
  );

  it("is reported where its files may not grow", async () => {
    const wrap = ["sh", "-c", 'trap \'\' XFSZ; ulimit -f 1; exec "$0" "$@"'];
    expectFallback(await start(["call", folder, ...lengths], wrap).end(), "EFBIG");
    expect(await filesIn("tmp")).toEqual([]);
  });
});

it("A damaged file is reported by name, and restored by repeating the call", async () => {
  const registry = createArchiveRegistry(createFileArchive({ folder }), 2_000);
  const { meta } = await registry.call("long", { length: 80_000 });
  const [[archiveId, hash]] = Object.entries(meta.content_archive_hashes ?? {}) as unknown as [
    [string, string],
  ];
  const digest = hash.slice("sha256:".length);
  await writeFile(join(folder, "objects", digest.slice(0, 2), digest), original.replace("Long", "Lung"));
  const failure = (await start(["get", folder, archiveId]).end()) as Record<string, unknown>;
  expect(failure).toMatchObject({
    error_code: "CONTENT_NOT_FOUND",
    remediation: "The stored copy is damaged. Repeat the call that gave the answer: it is stored again.",
    details: { archive_id: archiveId, hash },
  });
  expect(JSON.stringify(failure)).not.toContain(folder);
  await registry.call("long", { length: 80_000 });
  expect(await start(["get", folder, archiveId]).end()).toEqual({ text: original });
});
