import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Context, createRegistry, type Tool } from "@foundry-mcp/toolkit";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { serveHttp } from "@foundry-mcp/toolkit/http";
import { afterAll, describe, vi } from "vitest";
import { createLazyResearch } from "#built/foundry/app/lazy-research.js";
import { loadSettings } from "#built/foundry/config/load-settings.js";
import type { Research } from "#built/foundry/research/tool/research.js";
import { createResearchTool } from "#built/foundry/research/tool/research-tool.js";
import { type Ask, describeParity, type ParityTable } from "../toolkit/parity.suite.ts";
import { connectSdk } from "../toolkit/sdk-clients.ts";
import { silentLogger } from "../toolkit/silent-logger.ts";
import { startWritingModel } from "./writing-model.ts";

// Runs contain their start time, so the two calls must be made at the same time.
vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-02-03T04:05:06Z") });

const model = await startWritingModel();
const folder = await mkdtemp(join(tmpdir(), "research-parity-"));
const sentences = (about: string) =>
  Array.from(
    { length: 12 },
    (_, at) => `The ${about} of coast ${at} turns when the moon is high, for reason ${at}.`,
  );
await writeFile(join(folder, "tides.md"), `# Tides\n\n${sentences("tide").join(" ")}\n`);
await writeFile(join(folder, "bread.txt"), `${sentences("bread").join("\n\n")}\n`);
await writeFile(join(folder, "secret.bin"), Buffer.from([0, 1, 2]));

const archive = createMemoryArchive();
const open = async (runs: string) =>
  createLazyResearch({
    load: () =>
      loadSettings({
        options: { research_dir: runs, model: "stand-in", model_base_url: model.baseUrl },
        env: {},
        cwd: folder,
      }),
    archive,
    documentsFolder: async () => folder,
    documentsBoundary: async () => undefined,
    cwd: folder,
    isOneShot: false,
  }).open();

/** The state before every call has three research runs, of which two are completed. */
const caller = { principal: "local", requestId: "seed" };
const seeded = await mkdtemp(join(tmpdir(), "research-seeded-"));
const seed = await open(seeded);
const seedRuns = await seed.runs();
const finished = await seedRuns.start(
  { question: "When does the tide turn?", sources: [{ path: "tides.md" }] },
  caller,
);
await finished.ended;
vi.setSystemTime(new Date("2026-02-03T05:05:06Z"));
const other = await seedRuns.start({ question: "Why bread?", sources: [{ path: "bread.txt" }] }, caller);
await other.ended;
vi.setSystemTime(new Date("2026-02-03T06:05:06Z"));
const called = await seedRuns.start({ question: "What of both?", sources: [{ path: "." }] }, caller);
await seedRuns.cancel(called.id, caller);
await called.ended;
await seed.close();
vi.setSystemTime(new Date("2026-02-03T07:05:06Z"));

const folders: string[] = [seeded, folder];
let research: Research | undefined;

/**
 * Creates the tool on a new copy of the state for every call, so that surfaces can be compared. Results include the
 * state after the call.
 */
function createFreshTool(): Tool {
  const tool = createResearchTool(async () => {
    if (research === undefined) throw new Error("Nothing is open.");
    return research;
  });
  const actions = [...tool.actions].map(([name, action]) => {
    const run = async (input: never, context: Context) => {
      const runs = await mkdtemp(join(tmpdir(), "research-fresh-"));
      folders.push(runs);
      await cp(seeded, runs, { recursive: true });
      const opened = await open(runs);
      research = opened;
      const result = (await action.run(input, local(context) as never)) as {
        state?: string;
        research_id?: string;
      };
      const answer = action.readOnly === true ? result : { ...result, kept: await keptIn(opened, result) };
      await opened.close();
      return settled(answer);
    };
    return [name, { ...action, run }] as const;
  });
  return { ...tool, actions: new Map(actions) };
}

/** Returns the research runs after a call, with the report of the run that the call is about. */
async function keptIn(opened: Research, { research_id }: { readonly research_id?: string }): Promise<object> {
  const now = await opened.runs();
  const all = await now.list(caller);
  const own = all.find((each) => each.research_id === research_id && each.state === "completed");
  const report = own === undefined ? null : await now.report(own.research_id, caller);
  return { researches: all.map(({ question, state }) => ({ question, state })), report };
}

const known = [finished.id, other.id, called.id];

/** Removes the values that differ between calls: new ids, and the progress of a running research run. */
function settled(answer: object): object {
  const isRunning = "state" in answer && answer.state === "running";
  const told = isRunning ? { ...answer, progress: null, kept: null } : answer;
  const text = JSON.stringify(told).replace(/research-\d{8}-[0-9a-f]+/g, (id) =>
    known.includes(id) ? id : "new",
  );
  return JSON.parse(text) as object;
}

/** Sets the same principal on every surface, because archived content belongs to a principal. */
function local(context: Context): Context {
  return new Proxy(context, {
    get(target, key) {
      if (key === "principal") return "local";
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const registry = createRegistry({
  name: "parity",
  version: "1.0.0",
  tools: [createFreshTool()],
  budget: { archive },
  logger: silentLogger,
});
const http = await serveHttp(registry, { port: 0, logger: silentLogger });
const client = await connectSdk("SDK 2 modern", { url: `${http.url}/mcp` });
afterAll(async () => {
  await client.close();
  await http.close();
  await model.close();
  vi.useRealTimers();
  await Promise.all(folders.map((each) => rm(each, { recursive: true, force: true })));
});

const query = "When does the tide turn?";
const source = { path: "tides.md" };
const wishes = { query: "why coast 7", snippets: 1, use_model: false, include_source: true };
const research_id = finished.id;
const digested = async (ask: Ask) =>
  (await ask("research", { action: "digest", query, source })).data["digest"];
const second = async (ask: Ask) =>
  (await ask("research", { action: "list", limit: 1 })).meta.pagination?.cursor;
const markup = "<h1>Tides</h1><p>The tide of the west coast turns when the moon is high.</p>";
/** The members of a source as leaves below a parameter, each with a value that changes the answer. */
const documentLeaves = (at: string) => ({
  [`${at}.path`]: "bread.txt",
  [`${at}.text`]: "The tide turns twice a day, when the moon is highest and when it is lowest.",
  [`${at}.url`]: "http://127.0.0.1:9/tides.html",
  [`${at}.content_id`]: "arc_0",
  [`${at}.content_type`]: "text/html",
});
const searchLeaves = { "sources[].search": "folder", "sources[].limit": 1 };
/**
 * Replaces a member of a source in the base arguments by a member of another form, because a source has exactly one
 * form.
 */
const besideDocument = (at: string, of: (source: object) => Readonly<Record<string, unknown>>) => ({
  [`${at}.text`]: of({}),
  [`${at}.url`]: of({}),
  [`${at}.content_id`]: of({}),
  [`${at}.content_type`]: of({ text: markup }),
});
const besideSource = besideDocument("source", (each) => ({ source: each }));
const besideSources = {
  // A second source is readable, because a research run without readable sources fails with a message that
  // contains its id.
  ...besideDocument("sources[]", (each) => ({ sources: [each, source] })),
  "sources[].search": { sources: [{}] },
  "sources[].limit": { sources: [{ search: "folder" }] },
};
const table: ParityTable = {
  "research digest": {
    base: { query, source },
    effects: { ...wishes, ...documentLeaves("source"), paths: ["bread.txt"] },
    beside: besideSource,
  },
  "research digest-batch": {
    base: { query, sources: [source] },
    effects: { ...wishes, ...documentLeaves("sources[]"), ...searchLeaves, paths: ["bread.txt"] },
    beside: besideSources,
  },
  "research verify": {
    base: async (ask) => ({ digest: await digested(ask) }),
    effects: {
      digest: '{"no":"digest"}',
      ...documentLeaves("source"),
      research_id,
    },
    beside: besideSource,
  },
  "research start": {
    base: { question: query, sources: [source] },
    effects: {
      question: "Why bread?",
      ...documentLeaves("sources[]"),
      ...searchLeaves,
      paths: ["bread.txt"],
      max_sources: 1,
      snippets: 1,
      use_model: false,
      background: true,
    },
    beside: { ...besideSources, max_sources: { sources: [{ path: "." }] } },
  },
  "research resume": {
    base: { research_id: called.id },
    effects: { research_id, background: true },
  },
  "research status": { base: { research_id }, effects: { research_id: other.id } },
  "research report": { base: { research_id }, effects: { research_id: other.id, format: "markdown" } },
  "research list": { effects: { limit: 1, cursor: second } },
  "research cancel": { base: { research_id: called.id }, effects: { research_id } },
  "research delete": {
    base: { research_id, confirm: true },
    effects: { research_id: other.id, confirm: false },
  },
};

describe("research over MCP and on the command line", () => {
  describeParity(registry, async () => client, table, ["research"]);
});
