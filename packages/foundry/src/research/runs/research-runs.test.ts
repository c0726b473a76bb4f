import { appendFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { verifySnippet } from "@foundry-mcp/contract/digest";
import { describe, expect, it, onTestFinished } from "vitest";
import { createOwner, toLockText } from "../../files/lock/lock-owner.ts";
import { toDeadLock } from "../../files/lock/testing/owners.ts";
import { createResearchRuns, type ResearchRuns } from "./research-runs.ts";
import type { RunDeps } from "./run-deps.ts";
import { createRunFiles } from "./run-folder.ts";
import { ada, bob, createMemoryDeps, textAbout } from "./testing/memory-deps.ts";

const question = "When is the tide highest?";
const documents = {
  "docs/a.txt": textAbout("Dover"),
  "docs/b.txt": textAbout("Brest"),
  "docs/c.png": "picture",
  "docs/d.txt": "The tide is highest at noon.",
  "docs/e.txt": textAbout("Dover"),
  "docs/f.txt": Array.from({ length: 9 }, (_, at) => `Line ${at} speaks of bread and cheese.`).join(" "),
};
const request = {
  question,
  sources: [{ path: "docs/" }, { path: "gone.txt" }, { text: textAbout("Saint-Malo") }],
};

const openRuns = (deps: RunDeps): ResearchRuns => {
  const runs = createResearchRuns(deps);
  onTestFinished(() => runs.close());
  return runs;
};

/** Returns the code and message of a ContractError, and whether it has a remediation. */
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "accepted",
    (err: unknown) => {
      if (!isContractError(err)) throw err;
      return { code: err.code, message: err.message, hasRemedy: (err.options.remediation ?? "") !== "" };
    },
  );

/** Creates dependencies whose n-th load blocks until it is released. `isReached` resolves when the load blocks. */
async function createBlockingDeps(from: number, own: Partial<RunDeps> = {}) {
  let reached = () => {};
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let unblock = () => {};
  const released = new Promise<void>((resolve) => {
    unblock = resolve;
  });
  const deps = await createMemoryDeps(documents, { concurrency: 1, ...own });
  let readings = 0;
  const held: RunDeps = {
    ...deps,
    async load(source, principal, signal) {
      if (++readings === from) {
        reached();
        await released;
      }
      return deps.load(source, principal, signal);
    },
  };
  return { deps: held, plain: deps, isReached, unblock };
}

const without = ({ research_id, ...rest }: { readonly research_id: string }) => rest;

describe("a research", () => {
  it("reports the outcome of every source, and their findings", async () => {
    const deps = await createMemoryDeps(documents);
    const runs = openRuns(deps);
    const run = await runs.start(request, ada);
    expect(run.id).toMatch(/^research-\d{8}-[0-9a-f]{6}$/);
    const heard: (readonly [number, number, string])[] = [];
    run.onProgress((...said) => heard.push(said));
    const progress = { total: 7, done: 7, digested: 4, short: 1, failed: 1, duplicate: 1, left_out: 1 };
    expect(await run.ended).toEqual({
      research_id: run.id,
      question,
      state: "completed",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      progress,
    });
    expect(heard.map(([done, total]) => [done, total])).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((done) => [done, 7]),
    );
    const report = await runs.report(run.id, ada);
    expect(
      report.sources.map(({ source_id, name, outcome, quality, duplicate_of, reason }) => [
        source_id,
        name,
        outcome,
        quality?.level,
        duplicate_of ?? reason,
      ]),
    ).toEqual([
      ["source-1", "docs/a.txt", "digested", "high", undefined],
      ["source-2", "docs/b.txt", "digested", "high", undefined],
      ["source-3", "docs/d.txt", "short", "high", undefined],
      ["source-4", "docs/e.txt", "duplicate", undefined, "source-1"],
      ["source-5", "docs/f.txt", "digested", "none", undefined],
      ["source-6", "gone.txt", "failed", undefined, "not_found"],
      ["source-7", "text", "digested", "high", undefined],
    ]);
    expect(report.left_out).toEqual([
      { name: "docs/c.png", reason: "not_a_document", error: "It is a picture" },
    ]);
    expect(report.counts).toEqual({
      sources: 7,
      digested: 4,
      short: 1,
      failed: 1,
      duplicate: 1,
      matched: 4,
      left_out: 1,
      findings: 4,
      findings_left_out: 0,
    });
    expect(report.findings.map(({ claim }) => claim)).toContain("The tide is highest at noon.");
    for (const { source_text_hash, ...citation } of report.findings.flatMap(({ citations }) => citations))
      expect(verifySnippet(deps.archived.get(source_text_hash) ?? "", citation)).toBe(true);
    expect(report.summary_by).toBe("extraction");
    expect(report.summary).toBe("The tide is highest at noon. [1]");
  });

  it("reads a report of an older version, which has no themes", async () => {
    const deps = await createMemoryDeps(documents);
    const runs = openRuns(deps);
    const { id, ended } = await runs.start(request, ada);
    await ended;
    const file = join(deps.folder, id, "report.json");
    const {
      confidence: _c,
      themes: _t,
      disagreements: _d,
      not_found: _n,
      ...older
    } = await runs.report(id, ada);
    await writeFile(file, JSON.stringify(older));
    expect(await runs.report(id, ada)).toEqual({
      ...older,
      confidence: "weak",
      themes: [{ title: "Findings", findings: older.findings.map((each) => each.id) }],
      disagreements: [],
      not_found: [],
    });
  });

  it("hides its state from other principals, in a folder with mode 700", async () => {
    const deps = await createMemoryDeps(documents);
    const runs = openRuns(deps);
    const { id, ended } = await runs.start(request, ada);
    await ended;
    const missing = { code: "NOT_FOUND", message: `Research not found: ${id}`, hasRemedy: true };
    for (const method of ["resume", "status", "report", "cancel", "delete"] as const)
      expect(await refusal(runs[method](id, bob))).toEqual(missing);
    expect([await runs.list(bob), (await runs.list(ada)).length]).toEqual([[], 1]);
    expect((await stat(join(deps.folder, id))).mode & 0o777).toBe(0o700);
    expect((await stat(join(deps.folder, id, "digests.jsonl"))).mode & 0o777).toBe(0o600);
    expect((await readdir(join(deps.folder, id))).sort()).toEqual([
      "digests.jsonl",
      "report.json",
      "run.json",
      "sources.json",
    ]);
  });

  it.each([
    "../research-20260101-abcdef",
    "research-20260101-ABCDEF",
    "",
    "research-20260101-abcdef/",
    "x\0",
    7,
    null,
  ])("refuses the id %j", async (id) => {
    const runs = openRuns(await createMemoryDeps({}));
    expect(await refusal(runs.status(id as string, ada))).toMatchObject({ code: "NOT_FOUND" });
  });

  it("reports that no source matches", async () => {
    const runs = openRuns(await createMemoryDeps(documents));
    const { id, ended } = await runs.start(
      { question: "Quantum xylophones?", sources: [{ path: "docs/" }] },
      ada,
    );
    expect(await ended).toMatchObject({ state: "completed" });
    expect(await runs.report(id, ada)).toMatchObject({
      findings: [],
      summary: "No source says anything about the question.",
      counts: { matched: 0 },
    });
  });

  it("completes when every source fails, and reports that", async () => {
    const runs = openRuns(await createMemoryDeps({}));
    const { id, ended } = await runs.start(
      { question, sources: [{ path: "x.txt" }, { search: "broken" }, { text: "" }] },
      ada,
    );
    expect(await ended).toMatchObject({ state: "completed", progress: { total: 2, failed: 2, left_out: 1 } });
    const report = await runs.report(id, ada);
    expect(report.summary).toBe("No source could be read, so nothing is known about the question.");
    expect(report.left_out).toEqual([
      { name: "broken", reason: "dependency_unavailable", error: "Cannot search", remediation: "Mend it." },
    ]);
    expect(
      report.sources.map(({ reason, error, remediation }) => [reason, error !== "", remediation !== ""]),
    ).toEqual([
      ["not_found", true, true],
      ["empty", true, true],
    ]);
  });

  it("continues where a dependency throws anything", async () => {
    const deps = await createMemoryDeps(documents);
    const runs = openRuns({
      ...deps,
      load: (source, principal, signal) => {
        if (source.path === "docs/a.txt") return Promise.reject(new TypeError("secret"));
        if (source.path === "docs/b.txt")
          return Promise.reject(Object.assign(new Error("no"), { code: "EACCES" }));
        return deps.load(source, principal, signal);
      },
      archive: () => Promise.reject(new Error("full")),
    });
    const { id, ended } = await runs.start({ question, sources: [{ path: "docs/" }] }, ada);
    expect(await ended).toMatchObject({ state: "completed", progress: { failed: 2 } });
    const { sources } = await runs.report(id, ada);
    expect(sources.slice(0, 3).map(({ reason, is_kept }) => [reason, is_kept])).toEqual([
      ["internal_error", undefined],
      ["forbidden", undefined],
      [undefined, false],
    ]);
    expect(JSON.stringify(sources)).not.toContain("secret");
  });
});

describe("the summary of a model", () => {
  const summaryOf = async (summarize: RunDeps["summarize"]) => {
    const runs = openRuns(await createMemoryDeps(documents, { summarize }));
    const { id, ended } = await runs.start(request, ada);
    await ended;
    const { summary, summary_by, fallback } = await runs.report(id, ada);
    return { summary, summary_by, fallback };
  };

  it("replaces the extracted summary", async () => {
    let asked: readonly string[] = [];
    const told = await summaryOf(async (about, claims) => {
      asked = [about, ...claims];
      return { summary: " At noon [1]. " };
    });
    expect(told).toEqual({ summary: "At noon [1].", summary_by: "model", fallback: undefined });
    expect([asked[0], asked.length]).toEqual([question, 5]);
  });

  it.each([
    ["fails", () => Promise.reject(new Error("key 1234")), "The model failed"],
    ["says nothing", async () => ({ summary: "  " }), "The model gave no summary"],
    ["gives no text", async () => ({}) as { summary: string }, "The model gave no summary"],
    ["never ends", async () => ({ summary: "a".repeat(100_000) }), "The model gave no summary"],
  ])("falls back to extraction, with the reason, where the model %s", async (_, summarize, reason) => {
    const told = await summaryOf(summarize);
    expect(told).toMatchObject({ summary_by: "extraction", fallback: { from: "model", reason } });
    expect(told.summary).toContain("[1]");
  });
});

describe("a research that is interrupted", () => {
  it("resumes where it stopped, with the same report", async () => {
    const whole = openRuns(await createMemoryDeps(documents));
    const first = await whole.start(request, ada);
    await first.ended;
    const expected = without(await whole.report(first.id, ada));
    for (const at of [1, 3, 7]) {
      const { deps, plain, isReached, unblock } = await createBlockingDeps(at);
      const run = await createResearchRuns(deps).start(request, ada);
      await isReached;
      run.interrupt();
      expect(await run.ended).toMatchObject({ state: "interrupted", progress: { done: at - 1, total: 7 } });
      unblock();
      const before = plain.loaded.splice(0);
      const again = openRuns(plain);
      const resumed = await again.resume(run.id, { ...ada, requestId: "req_3" });
      const heard: string[] = [];
      resumed.onProgress((done, total, message) => heard.push(`${done}/${total} ${message}`));
      expect(await resumed.ended).toMatchObject({ state: "completed" });
      expect(heard[0]).toBe(`${at - 1}/7 ${at === 1 ? "started" : "resumed"}`);
      expect(plain.loaded.filter((path) => before.slice(0, at - 1).includes(path))).toEqual([]);
      expect(without(await again.report(run.id, ada))).toEqual(expected);
    }
  });

  it("keeps its list and records after the files changed", async () => {
    const { deps, plain, isReached, unblock } = await createBlockingDeps(2);
    const run = await createResearchRuns(deps).start(request, ada);
    await isReached;
    run.interrupt();
    await run.ended;
    unblock();
    const changed = await createMemoryDeps({
      ...documents,
      "docs/a.txt": "Nothing of any use is here any more.",
      "docs/0.txt": textAbout("a harbour that was built later"),
    });
    const runs = openRuns({ ...changed, folder: plain.folder });
    await (await runs.resume(run.id, ada)).ended;
    const { sources } = await runs.report(run.id, ada);
    expect(sources).toHaveLength(7);
    expect(sources[0]).toMatchObject({ name: "docs/a.txt", outcome: "digested", quality: { level: "high" } });
  });

  it("lists its sources again if it was interrupted while it listed them", async () => {
    const deps = await createMemoryDeps(documents);
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const stuck = createResearchRuns({
      ...deps,
      expand: () => {
        isAsked();
        return new Promise(() => {});
      },
    });
    const run = await stuck.start(request, ada);
    await asked;
    await stuck.close();
    const { created_at } = await run.ended;
    expect(await run.ended).toEqual({ research_id: run.id, question, state: "interrupted", created_at });
    expect(await refusal(stuck.resume(run.id, ada))).toMatchObject({ code: "UNAVAILABLE" });
    expect(await refusal(stuck.start(request, ada))).toMatchObject({ code: "UNAVAILABLE" });
    const runs = openRuns(deps);
    expect(await (await runs.resume(run.id, ada)).ended).toMatchObject({ state: "completed" });
  });

  it("does not fall back to extraction if it was interrupted during the summary", async () => {
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const deps = await createMemoryDeps(documents, {
      summarize: () => {
        isAsked();
        return new Promise(() => {});
      },
    });
    const run = await openRuns(deps).start(request, ada);
    await asked;
    run.interrupt();
    expect(await run.ended).toMatchObject({ state: "interrupted", progress: { done: 7 } });
  });

  it("cannot be resumed while it is running or after it is completed", async () => {
    const { deps, isReached, unblock } = await createBlockingDeps(2);
    const runs = openRuns(deps);
    const run = await runs.start(request, ada);
    await isReached;
    const busy = {
      code: "RESOURCE_BUSY",
      message: expect.stringContaining(`process ${process.pid}`),
      hasRemedy: true,
    };
    expect(await refusal(runs.resume(run.id, ada))).toEqual(busy);
    expect(await refusal(openRuns(deps).resume(run.id, ada))).toEqual(busy);
    expect(await openRuns(deps).status(run.id, ada)).toMatchObject({
      state: "running",
      progress: { done: 1 },
    });
    expect(await refusal(runs.delete(run.id, ada))).toMatchObject({
      code: "INVALID_STATE",
      message: `Cannot delete "${run.id}": it is running`,
    });
    expect(await refusal(runs.report(run.id, ada))).toMatchObject({
      code: "INVALID_STATE",
      message: `Cannot report on "${run.id}": it is running`,
    });
    unblock();
    await run.ended;
    expect(await refusal(runs.resume(run.id, ada))).toMatchObject({
      code: "INVALID_STATE",
      message: `Cannot resume "${run.id}": it is completed`,
    });
    expect(await refusal(runs.cancel(run.id, ada))).toMatchObject({ code: "INVALID_STATE" });
  });

  it("can be resumed after its process died with the lock", async () => {
    const { deps, plain, isReached, unblock } = await createBlockingDeps(3);
    const run = await createResearchRuns(deps).start(request, ada);
    await isReached;
    run.interrupt();
    await run.ended;
    unblock();
    await writeFile(join(deps.folder, run.id, "run.lock"), (await toDeadLock()).text);
    const runs = openRuns(plain);
    expect(await runs.status(run.id, ada)).toMatchObject({ state: "interrupted" });
    expect(await (await runs.resume(run.id, ada)).ended).toMatchObject({ state: "completed" });
  });
});

describe("a research that is cancelled", () => {
  it("stops at once in this process", async () => {
    const { deps, isReached } = await createBlockingDeps(3);
    const runs = openRuns(deps);
    const run = await runs.start(request, ada);
    await isReached;
    expect(await runs.cancel(run.id, ada)).toMatchObject({ state: "cancelled", progress: { done: 2 } });
    expect(await run.ended).toMatchObject({ state: "cancelled" });
    expect(await runs.cancel(run.id, ada)).toMatchObject({ state: "cancelled" });
    expect(await refusal(runs.report(run.id, ada))).toMatchObject({ code: "INVALID_STATE" });
  });

  it("stops before its next source in another process, and can be resumed", async () => {
    const { deps, plain, isReached, unblock } = await createBlockingDeps(3);
    const run = await openRuns(deps).start(request, ada);
    await isReached;
    const other = openRuns(plain);
    expect(await other.cancel(run.id, ada)).toMatchObject({ state: "running", is_stopping: true });
    unblock();
    expect(await run.ended).toMatchObject({ state: "cancelled", progress: { done: 3, total: 7 } });
    const resumed = await other.resume(run.id, ada);
    expect(await resumed.ended).toMatchObject({ state: "completed" });
  });

  it("is cancelled while no process runs it", async () => {
    const { deps, plain, isReached } = await createBlockingDeps(1);
    const run = await createResearchRuns(deps).start(request, ada);
    await isReached;
    run.interrupt();
    await run.ended;
    expect(await openRuns(plain).cancel(run.id, ada)).toMatchObject({ state: "cancelled" });
  });
});

describe("list", () => {
  it("returns the newest first, and nothing before the first run", async () => {
    const deps = await createMemoryDeps(documents);
    const runs = openRuns(deps);
    expect(await runs.list(ada)).toEqual([]);
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const run = await runs.start(request, ada);
      await run.ended;
      ids.unshift(run.id);
      // Runs that were created within the same millisecond would be ordered only by their id.
      const path = join(deps.folder, run.id, "run.json");
      const text = await readFile(path, "utf8");
      await writeFile(
        path,
        text.replace(/"created_at": "[^"]*"/, `"created_at": "2026-01-0${count + 1}T00:00:00.000Z"`),
      );
    }
    await mkdir(join(deps.folder, "something-else"));
    expect((await runs.list(ada)).map(({ research_id }) => research_id)).toEqual(ids);
    await runs.delete(ids[1] ?? "", ada);
    expect((await runs.list(ada)).map(({ research_id }) => research_id)).toEqual([ids[0], ids[2]]);
    expect(await refusal(runs.delete(ids[1] ?? "", ada))).toMatchObject({ code: "NOT_FOUND" });
    expect((await readdir(deps.folder)).sort()).toEqual([ids[0], ids[2], "something-else"].sort());
  });

  it("removes orphaned folders once they are old", async () => {
    const deps = await createMemoryDeps(documents);
    const [old, young] = ["research-20260101-000001", "research-20260101-000002"];
    for (const id of [old, young]) await mkdir(join(deps.folder, id), { recursive: true });
    await utimes(join(deps.folder, old), 0, 0);
    const run = await openRuns(deps).start(request, ada);
    await run.ended;
    expect((await readdir(deps.folder)).sort()).toEqual([young, run.id].sort());
  });
});

describe("corrupt files", () => {
  const interrupted = async () => {
    const { deps, plain, isReached, unblock } = await createBlockingDeps(4);
    const run = await createResearchRuns(deps).start(request, ada);
    await isReached;
    run.interrupt();
    await run.ended;
    unblock();
    plain.loaded.length = 0;
    return { deps: plain, id: run.id, file: (name: string) => join(plain.folder, run.id, name) };
  };

  it("reads a source again whose record is incomplete", async () => {
    const { deps, id, file } = await interrupted();
    const log = await readFile(file("digests.jsonl"));
    await writeFile(file("digests.jsonl"), log.subarray(0, log.length - 40));
    const runs = openRuns(deps);
    expect(await runs.status(id, ada)).toMatchObject({ state: "interrupted", progress: { done: 2 } });
    expect(await (await runs.resume(id, ada)).ended).toMatchObject({
      state: "completed",
      progress: { done: 7 },
    });
    expect(deps.loaded).toContain("docs/d.txt");
    expect(deps.loaded).not.toContain("docs/b.txt");
    expect((await readFile(file("digests.jsonl"), "utf8")).trimEnd().split("\n")).toHaveLength(7);
  });

  it("reports an invalid line, and lists the other runs", async () => {
    const { deps, id, file } = await interrupted();
    const log = await readFile(file("digests.jsonl"), "utf8");
    await writeFile(file("digests.jsonl"), log.replace("\n", "\n{garbage\n"));
    const runs = openRuns(deps);
    const error = {
      code: "INVALID_FORMAT",
      message: `Cannot read "${id}/digests.jsonl": line 2 is no record of a source`,
      remediation: expect.stringContaining('research(action="delete", research_id="'),
    };
    expect(await runs.status(id, ada)).toMatchObject({ state: "failed", error });
    expect(await (await runs.resume(id, ada)).ended).toMatchObject({ state: "failed", error });
    expect((await runs.list(ada)).map(({ state }) => state)).toEqual(["failed"]);
    await writeFile(file("digests.jsonl"), log);
    expect(await (await runs.resume(id, ada)).ended).toMatchObject({ state: "completed" });
  });

  it.each(["", "{", "[]", '{"version": 2}', "\0\0\0"])(
    "reports run.json with the content %j",
    async (text) => {
      const { deps, id, file } = await interrupted();
      await writeFile(file("run.json"), text);
      const runs = openRuns(deps);
      for (const method of ["resume", "status", "report", "cancel", "delete"] as const)
        expect(await refusal(runs[method](id, ada))).toMatchObject({
          code: "INVALID_FORMAT",
          hasRemedy: true,
        });
      expect(await runs.list(ada)).toEqual([]);
    },
  );

  it.each(["sources.json", "report.json"])("reports an invalid %s", async (name) => {
    const { deps, id, file } = await interrupted();
    await writeFile(file(name), "{}");
    const runs = openRuns(deps);
    const work =
      name === "report.json" ? runs.report(id, ada) : runs.resume(id, ada).then(({ ended }) => ended);
    const told = await work.catch((err: unknown) => ({ error: { code: (err as { code: string }).code } }));
    expect(told).toMatchObject({ error: { code: "INVALID_FORMAT" } });
  });

  it("ignores records of unknown sources, and second records", async () => {
    const { deps, id, file } = await interrupted();
    const [first = ""] = (await readFile(file("digests.jsonl"), "utf8")).split("\n");
    await appendFile(
      file("digests.jsonl"),
      `${first.replace("source-1", "source-99")}\n${first.replace("Dover", "Paris")}\n`,
    );
    const runs = openRuns(deps);
    expect(await runs.status(id, ada)).toMatchObject({
      progress: { done: 3, digested: 2, short: 1, duplicate: 0 },
    });
    await (await runs.resume(id, ada)).ended;
    const report = await runs.report(id, ada);
    expect(report.sources).toHaveLength(7);
    expect(JSON.stringify(report.findings)).toContain("Dover");
    expect(JSON.stringify(report.findings)).not.toContain("Paris");
  });
});

describe("disk failures", () => {
  it("fail the run on a full disk, and it resumes once there is room", async () => {
    const deps = await createMemoryDeps(documents, { concurrency: 1 });
    let room = 2;
    const fileSystem = createRunFiles(deps);
    const runs = openRuns({
      ...deps,
      fileSystem: {
        ...fileSystem,
        async append(path, bytes) {
          // An append without bytes opens the log.
          if (bytes.length === 0 || room-- > 0) return fileSystem.append(path, bytes);
          await fileSystem.append(path, bytes.subarray(0, 50));
          throw Object.assign(new Error("full"), { code: "ENOSPC" });
        },
      },
    });
    const run = await runs.start(request, ada);
    const error = {
      code: "RESOURCE_EXHAUSTED",
      message: `Cannot write "${run.id}/digests.jsonl": the disk is full`,
      remediation: "Free space on the disk, then try again.",
    };
    expect(await run.ended).toMatchObject({ state: "failed", error, progress: { done: 2 } });
    expect(await openRuns(deps).status(run.id, ada)).toMatchObject({ state: "failed", error });
    room = 100;
    expect(await (await runs.resume(run.id, ada)).ended).toMatchObject({ state: "completed" });
  });

  it("are reported by the process that could not store them", async () => {
    const deps = await createMemoryDeps(documents);
    let isFull = false;
    const fileSystem = createRunFiles(deps);
    const runs = openRuns({
      ...deps,
      fileSystem: {
        ...fileSystem,
        create: (path) =>
          isFull
            ? Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }))
            : fileSystem.create(path),
      },
      expand: (...args) => {
        isFull = true;
        return deps.expand(...args);
      },
    });
    const run = await runs.start(request, ada);
    const told = {
      state: "failed",
      error: {
        code: "RESOURCE_EXHAUSTED",
        message: `Cannot write "${run.id}/sources.json": the disk is full`,
      },
    };
    expect(await run.ended).toMatchObject(told);
    expect(await runs.status(run.id, ada)).toMatchObject(told);
    expect(await openRuns(deps).status(run.id, ada)).toMatchObject({ state: "interrupted" });
    isFull = false;
    await runs.resume(run.id, ada).then(({ interrupt, ended }) => {
      interrupt();
      return ended;
    });
    expect(await runs.status(run.id, ada)).toMatchObject({ state: "interrupted" });
    isFull = false;
    const again = openRuns(deps);
    expect(await (await again.resume(run.id, ada)).ended).toMatchObject({ state: "completed" });
    expect(await runs.status(run.id, ada)).toMatchObject({ state: "completed" });
  });

  it.each([
    ["EACCES", "FORBIDDEN"],
    ["EROFS", "UNAVAILABLE"],
    ["ENOSPC", "RESOURCE_EXHAUSTED"],
  ])("refuse a run in a folder without write permission: %s", async (code, told) => {
    const deps = await createMemoryDeps(documents);
    const mkdir = () => Promise.reject(Object.assign(new Error(code), { code }));
    const runs = openRuns({ ...deps, fileSystem: { ...createRunFiles(deps), mkdir } });
    expect(await refusal(runs.start(request, ada))).toMatchObject({ code: told, hasRemedy: true });
    expect(await runs.list(ada)).toEqual([]);
  });

  it("leave no folder of a run that cannot be written", async () => {
    const deps = await createMemoryDeps(documents);
    const create = () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
    const runs = openRuns({ ...deps, fileSystem: { ...createRunFiles(deps), create } });
    expect(await refusal(runs.start(request, ada))).toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      hasRemedy: true,
    });
    expect(await readdir(deps.folder)).toEqual([]);
  });

  it("refuse a runs folder that is a file", async () => {
    const deps = await createMemoryDeps(documents);
    await writeFile(deps.folder, "");
    expect(await refusal(openRuns(deps).start(request, ada))).toMatchObject({ hasRemedy: true });
  });

  it("stop a run whose lock was taken over, before it writes", async () => {
    const { deps, isReached, unblock } = await createBlockingDeps(3);
    const run = await openRuns(deps).start(request, ada);
    await isReached;
    const folder = join(deps.folder, run.id);
    const before = await readFile(join(folder, "digests.jsonl"), "utf8");
    await writeFile(join(folder, "run.lock"), toLockText(await createOwner("another")));
    unblock();
    expect(await run.ended).toMatchObject({ state: "running" });
    expect(await readFile(join(folder, "digests.jsonl"), "utf8")).toBe(before);
    await rm(join(folder, "run.lock"));
  });
});
