import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Envelope } from "@foundry-mcp/contract";
import { afterAll, describe, vi } from "vitest";
import { createCliRegistry } from "#built/foundry/app/create-cli-registry.js";
import { openWorkspace } from "#built/foundry/app/open-workspace.js";
import { loadSettings } from "#built/foundry/config/load-settings.js";
import { openFileStore } from "#built/foundry/specs/stores/file-store/file-store.js";
import { root } from "../source-files.ts";
import { describeParity, type ParitySurfaces, toParityArgv } from "../toolkit/parity.suite.ts";
import { seedStore, settled, specToolNames } from "./fresh-tools.ts";
import { table } from "./parity.test.ts";
import { runCli } from "./programs.ts";
import { createWorkspace, filesBelow } from "./workspace.ts";

// The program does not check its answers against their schemas, and says so.
vi.stubEnv("NODE_ENV", "production");

// The parity test in process, made by real programs: foundry-cli as a process in one copy of a workspace, against the
// same registry in another. The clock stands still in both, so that answers and files are the same to the byte.

const env = { FOUNDRY_VERIFY_PROGRAMS: "node" };
const frozen = {
  ...env,
  FOUNDRY_TEST_NOW: String(Date.now()),
  NODE_OPTIONS: `--import ${pathToFileURL(join(root, ".build/test/specs/fixed-date.js")).href}`,
};

const seeded = await createWorkspace();
await seedStore(openFileStore({ root: seeded.specs }));
const original = await textsIn(seeded.specs);
afterAll(() => seeded.remove());

/** The texts of the specs in a folder, by name. */
async function textsIn(specs: string): Promise<Readonly<Record<string, string>>> {
  const names = (await filesBelow(specs)).filter((name) => !name.startsWith("."));
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(specs, name), "utf8")] as const)),
  );
}

/** Makes a call in a fresh copy of the workspace; the answer lists in `files_after` the specs that it changed. */
async function inCopy(call: (folder: string) => Promise<Envelope>): Promise<Envelope> {
  const folder = await mkdtemp(join(tmpdir(), "parity-"));
  try {
    await cp(seeded.folder, folder, { recursive: true, preserveTimestamps: true });
    const envelope = await call(folder);
    const texts = Object.entries(await textsIn(join(folder, "specs")));
    const kept = texts.filter(([name, text]) => original[name] !== text);
    const documents = Object.fromEntries(kept.map(([name, text]) => [name, JSON.parse(text) as unknown]));
    const data = settled({ ...envelope.data, files_after: documents });
    return JSON.parse(JSON.stringify({ ...envelope, data }).replaceAll(folder, "folder")) as Envelope;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function open(folder: string) {
  const load = () => loadSettings({ env, cwd: folder });
  const workspace = openWorkspace(load, folder);
  return { registry: createCliRegistry({ load, cwd: folder, workspace }), workspace };
}

/** Calls the registry in a folder as the program would. */
async function callIn(folder: string, tool: string, args: object): Promise<Envelope> {
  const { registry: own, workspace } = open(folder);
  try {
    return await own.call(tool, args, { requestId: "parity", client: { name: "foundry-cli" } });
  } finally {
    await workspace.close();
  }
}

const { registry } = open(seeded.folder);
// What a long answer left behind, for calls of `content`.
await callIn(seeded.folder, "spec", { action: "get", spec_id: "one", max_tokens: 400 });

const surfaces: ParitySurfaces = {
  // Questions are reads: they need no copy.
  ask: (tool, args) => callIn(seeded.folder, tool, args),
  overMcp: (tool, args) => inCopy((folder) => callIn(folder, tool, { max_tokens: 20_000, ...args })),
  overCli: (tool, args) =>
    inCopy(async (cwd) => {
      const { stdout } = await runCli(toParityArgv(registry, tool, args), { cwd, env: frozen });
      return JSON.parse(stdout) as Envelope;
    }),
};

describe("foundry-cli as a process, and the same calls in process", () => {
  describeParity(registry, surfaces, table, [...specToolNames, "content", "server"]);
});
