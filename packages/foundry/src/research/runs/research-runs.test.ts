import { appendFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { verifySnippet } from "@foundry-mcp/contract/digest";
import { describe, expect, it, onTestFinished } from "vitest";
import { nodeFileSystem } from "../../files/durable/node-file-system.ts";
import { createOwner, toLockText } from "../../files/lock/lock-owner.ts";
import { toDeadLock } from "../../files/lock/testing/owners.ts";
import { createResearchRuns, type ResearchRuns } from "./research-runs.ts";
import type { RunDeps } from "./run-deps.ts";
import { ada, bob, createMemoryServices, textAbout } from "./testing/memory-services.ts";

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

const openDesk = (services: RunDeps): ResearchRuns => {
  const desk = createResearchRuns(services);
  onTestFinished(() => desk.close());
  return desk;
};

/** What a refusal says. */
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "accepted",
    (err: unknown) => {
      if (!isContractError(err)) throw err;
      return { code: err.code, message: err.message, hasRemedy: (err.options.remediation ?? "") !== "" };
    },
  );

/** Services whose n-th reading waits until it is let go; what begins to wait is told. */
async function createHeldServices(from: number, own: Partial<RunDeps> = {}) {
  let reached = () => {};
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let letGo = () => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const services = await createMemoryServices(documents, { concurrency: 1, ...own });
  let readings = 0;
  const held: RunDeps = {
    ...services,
    async load(source, principal, signal) {
      if (++readings === from) {
        reached();
        await released;
      }
      return services.load(source, principal, signal);
    },
  };
  return { services: held, plain: services, isReached, letGo };
}

const without = ({ research_id, ...rest }: { readonly research_id: string }) => rest;

describe("a research", () => {
  it("tells of every source what became of it, and finds what they say", async () => {
    const services = await createMemoryServices(documents);
    const desk = openDesk(services);
    const run = await desk.start(request, ada);
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
    const report = await desk.report(run.id, ada);
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
      expect(verifySnippet(services.kept.get(source_text_hash) ?? "", citation)).toBe(true);
    expect(report.summary_by).toBe("extraction");
    expect(report.summary).toMatch(/ \[1\] .* \[2\] .* \[3\]$/);
  });

  it("keeps its state from others, in a folder for its owner alone", async () => {
    const services = await createMemoryServices(documents);
    const desk = openDesk(services);
    const { id, ended } = await desk.start(request, ada);
    await ended;
    const missing = { code: "NOT_FOUND", message: `Research not found: ${id}`, hasRemedy: true };
    for (const deed of ["resume", "status", "report", "cancel", "delete"] as const)
      expect(await refusal(desk[deed](id, bob))).toEqual(missing);
    expect([await desk.list(bob), (await desk.list(ada)).length]).toEqual([[], 1]);
    expect((await stat(join(services.folder, id))).mode & 0o777).toBe(0o700);
    expect((await stat(join(services.folder, id, "digests.jsonl"))).mode & 0o777).toBe(0o600);
    expect((await readdir(join(services.folder, id))).sort()).toEqual([
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
  ])("has no id such as %j", async (id) => {
    const desk = openDesk(await createMemoryServices({}));
    expect(await refusal(desk.status(id as string, ada))).toMatchObject({ code: "NOT_FOUND" });
  });

  it("without any source that says something says so", async () => {
    const desk = openDesk(await createMemoryServices(documents));
    const { id, ended } = await desk.start(
      { question: "Quantum xylophones?", sources: [{ path: "docs/" }] },
      ada,
    );
    expect(await ended).toMatchObject({ state: "completed" });
    expect(await desk.report(id, ada)).toMatchObject({
      findings: [],
      summary: "No source says anything about the question.",
      counts: { matched: 0 },
    });
  });

  it("of which every source fails is completed, and says so", async () => {
    const desk = openDesk(await createMemoryServices({}));
    const { id, ended } = await desk.start(
      { question, sources: [{ path: "x.txt" }, { search: "broken" }, { text: "" }] },
      ada,
    );
    expect(await ended).toMatchObject({ state: "completed", progress: { total: 2, failed: 2, left_out: 1 } });
    const report = await desk.report(id, ada);
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

  it("goes on with what it has where a service throws anything at all", async () => {
    const services = await createMemoryServices(documents);
    const desk = openDesk({
      ...services,
      load: (source, principal, signal) => {
        if (source.path === "docs/a.txt") return Promise.reject(new TypeError("secret"));
        if (source.path === "docs/b.txt")
          return Promise.reject(Object.assign(new Error("no"), { code: "EACCES" }));
        return services.load(source, principal, signal);
      },
      archive: () => Promise.reject(new Error("full")),
    });
    const { id, ended } = await desk.start({ question, sources: [{ path: "docs/" }] }, ada);
    expect(await ended).toMatchObject({ state: "completed", progress: { failed: 2 } });
    const { sources } = await desk.report(id, ada);
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
    const desk = openDesk(await createMemoryServices(documents, { summarize }));
    const { id, ended } = await desk.start(request, ada);
    await ended;
    const { summary, summary_by, fallback } = await desk.report(id, ada);
    return { summary, summary_by, fallback };
  };

  it("takes the place of the extract", async () => {
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
  ])("that %s is an extract, and says why", async (_, summarize, reason) => {
    const told = await summaryOf(summarize);
    expect(told).toMatchObject({ summary_by: "extraction", fallback: { from: "model", reason } });
    expect(told.summary).toContain("[1]");
  });
});

describe("a research that is interrupted", () => {
  it("goes on where it was, and ends as if nothing had happened", async () => {
    const whole = openDesk(await createMemoryServices(documents));
    const first = await whole.start(request, ada);
    await first.ended;
    const expected = without(await whole.report(first.id, ada));
    for (const at of [1, 3, 7]) {
      const { services, plain, isReached, letGo } = await createHeldServices(at);
      const run = await createResearchRuns(services).start(request, ada);
      await isReached;
      run.interrupt();
      expect(await run.ended).toMatchObject({ state: "interrupted", progress: { done: at - 1, total: 7 } });
      letGo();
      const before = plain.found.splice(0);
      const again = openDesk(plain);
      const resumed = await again.resume(run.id, { ...ada, requestId: "req_3" });
      const heard: string[] = [];
      resumed.onProgress((done, total, message) => heard.push(`${done}/${total} ${message}`));
      expect(await resumed.ended).toMatchObject({ state: "completed" });
      expect(heard[0]).toBe(`${at - 1}/7 ${at === 1 ? "started" : "resumed"}`);
      expect(plain.found.filter((path) => before.slice(0, at - 1).includes(path))).toEqual([]);
      expect(without(await again.report(run.id, ada))).toEqual(expected);
    }
  });

  it("keeps its sources and what was digested, though the files are others now", async () => {
    const { services, plain, isReached, letGo } = await createHeldServices(2);
    const run = await createResearchRuns(services).start(request, ada);
    await isReached;
    run.interrupt();
    await run.ended;
    letGo();
    const changed = await createMemoryServices({
      ...documents,
      "docs/a.txt": "Nothing of any use is here any more.",
      "docs/0.txt": textAbout("a harbour that was built later"),
    });
    const desk = openDesk({ ...changed, folder: plain.folder });
    await (await desk.resume(run.id, ada)).ended;
    const { sources } = await desk.report(run.id, ada);
    expect(sources).toHaveLength(7);
    expect(sources[0]).toMatchObject({ name: "docs/a.txt", outcome: "digested", quality: { level: "high" } });
  });

  it("while its sources are looked for looks for them again", async () => {
    const services = await createMemoryServices(documents);
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const stuck = createResearchRuns({
      ...services,
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
    const desk = openDesk(services);
    expect(await (await desk.resume(run.id, ada)).ended).toMatchObject({ state: "completed" });
  });

  it("while a model writes is no fallback", async () => {
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const services = await createMemoryServices(documents, {
      summarize: () => {
        isAsked();
        return new Promise(() => {});
      },
    });
    const run = await openDesk(services).start(request, ada);
    await asked;
    run.interrupt();
    expect(await run.ended).toMatchObject({ state: "interrupted", progress: { done: 7 } });
  });

  it("cannot be resumed while somebody runs it, nor once it is completed", async () => {
    const { services, isReached, letGo } = await createHeldServices(2);
    const desk = openDesk(services);
    const run = await desk.start(request, ada);
    await isReached;
    const busy = {
      code: "RESOURCE_BUSY",
      message: expect.stringContaining(`process ${process.pid}`),
      hasRemedy: true,
    };
    expect(await refusal(desk.resume(run.id, ada))).toEqual(busy);
    expect(await refusal(openDesk(services).resume(run.id, ada))).toEqual(busy);
    expect(await openDesk(services).status(run.id, ada)).toMatchObject({
      state: "running",
      progress: { done: 1 },
    });
    expect(await refusal(desk.delete(run.id, ada))).toMatchObject({
      code: "INVALID_STATE",
      message: `Cannot delete "${run.id}": it is running`,
    });
    expect(await refusal(desk.report(run.id, ada))).toMatchObject({
      code: "INVALID_STATE",
      message: `Cannot report on "${run.id}": it is running`,
    });
    letGo();
    await run.ended;
    expect(await refusal(desk.resume(run.id, ada))).toMatchObject({
      code: "INVALID_STATE",
      message: `Cannot resume "${run.id}": it is completed`,
    });
    expect(await refusal(desk.cancel(run.id, ada))).toMatchObject({ code: "INVALID_STATE" });
  });

  it("by the death of its process is interrupted, and its lock is in nobody's way", async () => {
    const { services, plain, isReached, letGo } = await createHeldServices(3);
    const run = await createResearchRuns(services).start(request, ada);
    await isReached;
    run.interrupt();
    await run.ended;
    letGo();
    await writeFile(join(services.folder, run.id, "run.lock"), (await toDeadLock()).text);
    const desk = openDesk(plain);
    expect(await desk.status(run.id, ada)).toMatchObject({ state: "interrupted" });
    expect(await (await desk.resume(run.id, ada)).ended).toMatchObject({ state: "completed" });
  });
});

describe("a research that is cancelled", () => {
  it("here stops at once", async () => {
    const { services, isReached } = await createHeldServices(3);
    const desk = openDesk(services);
    const run = await desk.start(request, ada);
    await isReached;
    expect(await desk.cancel(run.id, ada)).toMatchObject({ state: "cancelled", progress: { done: 2 } });
    expect(await run.ended).toMatchObject({ state: "cancelled" });
    expect(await desk.cancel(run.id, ada)).toMatchObject({ state: "cancelled" });
    expect(await refusal(desk.report(run.id, ada))).toMatchObject({ code: "INVALID_STATE" });
  });

  it("by another process stops before its next source, and can be resumed", async () => {
    const { services, plain, isReached, letGo } = await createHeldServices(3);
    const run = await openDesk(services).start(request, ada);
    await isReached;
    const other = openDesk(plain);
    expect(await other.cancel(run.id, ada)).toMatchObject({ state: "running", is_stopping: true });
    letGo();
    expect(await run.ended).toMatchObject({ state: "cancelled", progress: { done: 3, total: 7 } });
    const resumed = await other.resume(run.id, ada);
    expect(await resumed.ended).toMatchObject({ state: "completed" });
  });

  it("while nobody runs it is cancelled", async () => {
    const { services, plain, isReached } = await createHeldServices(1);
    const run = await createResearchRuns(services).start(request, ada);
    await isReached;
    run.interrupt();
    await run.ended;
    expect(await openDesk(plain).cancel(run.id, ada)).toMatchObject({ state: "cancelled" });
  });
});

describe("the list", () => {
  it("has the newest first, and is empty before the first", async () => {
    const services = await createMemoryServices(documents);
    const desk = openDesk(services);
    expect(await desk.list(ada)).toEqual([]);
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const run = await desk.start(request, ada);
      await run.ended;
      ids.unshift(run.id);
      // Within one millisecond only the ids would tell.
      const path = join(services.folder, run.id, "run.json");
      const text = await readFile(path, "utf8");
      await writeFile(
        path,
        text.replace(/"created_at": "[^"]*"/, `"created_at": "2026-01-0${count + 1}T00:00:00.000Z"`),
      );
    }
    await mkdir(join(services.folder, "something-else"));
    expect((await desk.list(ada)).map(({ research_id }) => research_id)).toEqual(ids);
    await desk.delete(ids[1] ?? "", ada);
    expect((await desk.list(ada)).map(({ research_id }) => research_id)).toEqual([ids[0], ids[2]]);
    expect(await refusal(desk.delete(ids[1] ?? "", ada))).toMatchObject({ code: "NOT_FOUND" });
    expect((await readdir(services.folder)).sort()).toEqual([ids[0], ids[2], "something-else"].sort());
  });

  it("drops what was left half made or half deleted, once it is old", async () => {
    const services = await createMemoryServices(documents);
    const [old, young] = ["research-20260101-000001", "research-20260101-000002"];
    for (const id of [old, young]) await mkdir(join(services.folder, id), { recursive: true });
    await utimes(join(services.folder, old), 0, 0);
    const run = await openDesk(services).start(request, ada);
    await run.ended;
    expect((await readdir(services.folder)).sort()).toEqual([young, run.id].sort());
  });
});

describe("files that are not as they were written", () => {
  const interrupted = async () => {
    const { services, plain, isReached, letGo } = await createHeldServices(4);
    const run = await createResearchRuns(services).start(request, ada);
    await isReached;
    run.interrupt();
    await run.ended;
    letGo();
    plain.found.length = 0;
    return { services: plain, id: run.id, file: (name: string) => join(plain.folder, run.id, name) };
  };

  it("a torn last line is done again", async () => {
    const { services, id, file } = await interrupted();
    const log = await readFile(file("digests.jsonl"));
    await writeFile(file("digests.jsonl"), log.subarray(0, log.length - 40));
    const desk = openDesk(services);
    expect(await desk.status(id, ada)).toMatchObject({ state: "interrupted", progress: { done: 2 } });
    expect(await (await desk.resume(id, ada)).ended).toMatchObject({
      state: "completed",
      progress: { done: 7 },
    });
    expect(services.found).toContain("docs/d.txt");
    expect(services.found).not.toContain("docs/b.txt");
    expect((await readFile(file("digests.jsonl"), "utf8")).trimEnd().split("\n")).toHaveLength(7);
  });

  it("a line of garbage elsewhere is a failure with a name, and the rest of the list is there", async () => {
    const { services, id, file } = await interrupted();
    const log = await readFile(file("digests.jsonl"), "utf8");
    await writeFile(file("digests.jsonl"), log.replace("\n", "\n{garbage\n"));
    const desk = openDesk(services);
    const error = {
      code: "INVALID_FORMAT",
      message: `Cannot read "${id}/digests.jsonl": line 2 is no record of a source`,
      remediation: expect.stringContaining('research(action="delete")'),
    };
    expect(await desk.status(id, ada)).toMatchObject({ state: "failed", error });
    expect(await (await desk.resume(id, ada)).ended).toMatchObject({ state: "failed", error });
    expect((await desk.list(ada)).map(({ state }) => state)).toEqual(["failed"]);
    await writeFile(file("digests.jsonl"), log);
    expect(await (await desk.resume(id, ada)).ended).toMatchObject({ state: "completed" });
  });

  it.each(["", "{", "[]", '{"version": 2}', "\0\0\0"])(
    "run.json that is %j is a failure with a name",
    async (text) => {
      const { services, id, file } = await interrupted();
      await writeFile(file("run.json"), text);
      const desk = openDesk(services);
      for (const deed of ["resume", "status", "report", "cancel", "delete"] as const)
        expect(await refusal(desk[deed](id, ada))).toMatchObject({ code: "INVALID_FORMAT", hasRemedy: true });
      expect(await desk.list(ada)).toEqual([]);
    },
  );

  it.each(["sources.json", "report.json"])("%s that is none is a failure with a name", async (name) => {
    const { services, id, file } = await interrupted();
    await writeFile(file(name), "{}");
    const desk = openDesk(services);
    const work =
      name === "report.json" ? desk.report(id, ada) : desk.resume(id, ada).then(({ ended }) => ended);
    const told = await work.catch((err: unknown) => ({ error: { code: (err as { code: string }).code } }));
    expect(told).toMatchObject({ error: { code: "INVALID_FORMAT" } });
  });

  it("records of no source, and second ones, change nothing", async () => {
    const { services, id, file } = await interrupted();
    const [first = ""] = (await readFile(file("digests.jsonl"), "utf8")).split("\n");
    await appendFile(
      file("digests.jsonl"),
      `${first.replace("source-1", "source-99")}\n${first.replace("Dover", "Paris")}\n`,
    );
    const desk = openDesk(services);
    expect(await desk.status(id, ada)).toMatchObject({
      progress: { done: 3, digested: 2, short: 1, duplicate: 0 },
    });
    await (await desk.resume(id, ada)).ended;
    const report = await desk.report(id, ada);
    expect(report.sources).toHaveLength(7);
    expect(JSON.stringify(report.findings)).toContain("Dover");
    expect(JSON.stringify(report.findings)).not.toContain("Paris");
  });
});

describe("a disk that fails", () => {
  it("when it is full fails the run, which goes on once there is room", async () => {
    const services = await createMemoryServices(documents, { concurrency: 1 });
    let room = 2;
    const desk = openDesk({
      ...services,
      fileSystem: {
        ...nodeFileSystem,
        async append(path, bytes) {
          if (room-- > 0) return nodeFileSystem.append(path, bytes);
          await nodeFileSystem.append(path, bytes.subarray(0, 50));
          throw Object.assign(new Error("full"), { code: "ENOSPC" });
        },
      },
    });
    const run = await desk.start(request, ada);
    const error = {
      code: "RESOURCE_EXHAUSTED",
      message: `Cannot write "${run.id}/digests.jsonl": the disk is full`,
      remediation: "Free space on the disk, then try again.",
    };
    expect(await run.ended).toMatchObject({ state: "failed", error, progress: { done: 2 } });
    expect(await openDesk(services).status(run.id, ada)).toMatchObject({ state: "failed", error });
    room = 100;
    expect(await (await desk.resume(run.id, ada)).ended).toMatchObject({ state: "completed" });
  });

  it("tells here what it could not write down", async () => {
    const services = await createMemoryServices(documents);
    let isFull = false;
    const desk = openDesk({
      ...services,
      fileSystem: {
        ...nodeFileSystem,
        create: (path) =>
          isFull
            ? Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }))
            : nodeFileSystem.create(path),
      },
      expand: (...args) => {
        isFull = true;
        return services.expand(...args);
      },
    });
    const run = await desk.start(request, ada);
    const told = {
      state: "failed",
      error: {
        code: "RESOURCE_EXHAUSTED",
        message: `Cannot write "${run.id}/sources.json": the disk is full`,
      },
    };
    expect(await run.ended).toMatchObject(told);
    expect(await desk.status(run.id, ada)).toMatchObject(told);
    expect(await openDesk(services).status(run.id, ada)).toMatchObject({ state: "interrupted" });
    isFull = false;
    await desk.resume(run.id, ada).then(({ interrupt, ended }) => {
      interrupt();
      return ended;
    });
    expect(await desk.status(run.id, ada)).toMatchObject({ state: "interrupted" });
    isFull = false;
    const again = openDesk(services);
    expect(await (await again.resume(run.id, ada)).ended).toMatchObject({ state: "completed" });
    expect(await desk.status(run.id, ada)).toMatchObject({ state: "completed" });
  });

  it.each([
    ["EACCES", "FORBIDDEN"],
    ["EROFS", "UNAVAILABLE"],
    ["ENOSPC", "RESOURCE_EXHAUSTED"],
  ])("refuses a research where nothing may be written: %s", async (code, told) => {
    const services = await createMemoryServices(documents);
    const mkdir = () => Promise.reject(Object.assign(new Error(code), { code }));
    const desk = openDesk({ ...services, fileSystem: { ...nodeFileSystem, mkdir } });
    expect(await refusal(desk.start(request, ada))).toMatchObject({ code: told, hasRemedy: true });
    expect(await desk.list(ada)).toEqual([]);
  });

  it("leaves nothing of a research that cannot be written", async () => {
    const services = await createMemoryServices(documents);
    const create = () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
    const desk = openDesk({ ...services, fileSystem: { ...nodeFileSystem, create } });
    expect(await refusal(desk.start(request, ada))).toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      hasRemedy: true,
    });
    expect(await readdir(services.folder)).toEqual([]);
  });

  it("refuses a folder that is a file", async () => {
    const services = await createMemoryServices(documents);
    await writeFile(services.folder, "");
    expect(await refusal(openDesk(services).start(request, ada))).toMatchObject({ hasRemedy: true });
  });

  it("stops a run whose lock was taken over, and writes nothing more", async () => {
    const { services, isReached, letGo } = await createHeldServices(3);
    const run = await openDesk(services).start(request, ada);
    await isReached;
    const folder = join(services.folder, run.id);
    const before = await readFile(join(folder, "digests.jsonl"), "utf8");
    await writeFile(join(folder, "run.lock"), toLockText(await createOwner("another")));
    letGo();
    expect(await run.ended).toMatchObject({ state: "running" });
    expect(await readFile(join(folder, "digests.jsonl"), "utf8")).toBe(before);
    await rm(join(folder, "run.lock"));
  });
});
