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
import { seedStore, seeds, settled, specToolNames } from "./fresh-tools.ts";
import { table } from "./parity.test.ts";
import { runCli } from "./programs.ts";
import { createWorkspace, filesBelow } from "./workspace.ts";

// The program does not validate its answers against their schemas, and `server` reports that.
vi.stubEnv("NODE_ENV", "production");
// The user of the command line is the author of the changes, so that they can be undone.
vi.stubEnv("FOUNDRY_AUTHOR", seeds.client);

// These are the parity tests in process, but with real programs. foundry-cli runs as a process in one copy of a
// workspace, and is compared with the same registry in another copy. The clock is stopped in both copies, so that
// answers and files are equal byte for byte.

const env = { FOUNDRY_VERIFY_PROGRAMS: "node" };
const frozen = {
  ...env,
  FOUNDRY_TEST_NOW: String(Date.now()),
  FOUNDRY_AUTHOR: seeds.client,
  NODE_OPTIONS: `--import ${pathToFileURL(join(root, ".build/test/specs/fixed-date.js")).href}`,
};

const seeded = await createWorkspace();
await seedStore(openFileStore({ root: seeded.specs }));
const original = await textsIn(seeded.specs);
afterAll(() => seeded.remove());

/** Returns the texts of the specs in a folder, by name. */
async function textsIn(specs: string): Promise<Readonly<Record<string, string>>> {
  const names = (await filesBelow(specs)).filter((name) => !name.startsWith("."));
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(specs, name), "utf8")] as const)),
  );
}

/**
 * Makes a call in a new copy of the workspace. The answer lists in `files_after` the specs that the call changed.
 */
async function inCopy(call: (folder: string) => Promise<Envelope>): Promise<Envelope> {
  const folder = await mkdtemp(join(tmpdir(), "parity-"));
  try {
    await cp(seeded.folder, folder, { recursive: true, preserveTimestamps: true });
    const envelope = await call(folder);
    const texts = Object.entries(await textsIn(join(folder, "specs")));
    const kept = texts.filter(([name, text]) => original[name] !== text);
    const documents = Object.fromEntries(kept.map(([name, text]) => [name, JSON.parse(text) as unknown]));
    const data = settled({ ...envelope.data, files_after: documents });
    const text = JSON.stringify({ ...envelope, data }).replaceAll(folder, "folder");
    return JSON.parse(maskArchived(text, envelope)) as Envelope;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Replaces ids and hashes of archived answers, because archived answers contain tokens and durations, which
 * differ in every call.
 */
function maskArchived(text: string, { meta }: Envelope): string {
  return Object.entries(meta.content_archive_hashes ?? {}).reduce(
    (masked, [id, hash]) => masked.replaceAll(id, "archive-id").replaceAll(hash, `sha256:${"0".repeat(64)}`),
    text,
  );
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
    const caller = { surface: "cli", client: { name: "foundry-cli" } } as const;
    const { json } = await own.dispatch({ tool, args, requestId: "parity" }, caller);
    return JSON.parse(json) as Envelope;
  } finally {
    await workspace.close();
  }
}

const { registry } = open(seeded.folder);
// This is the archived content of a long answer, for calls of `content`.
await callIn(seeded.folder, "spec", { action: "get", spec_id: "one", max_tokens: 400 });

const surfaces: ParitySurfaces = {
  // These calls only read, so they need no copy of the workspace.
  ask: (tool, args) => callIn(seeded.folder, tool, args),
  overMcp: (tool, args) => inCopy((folder) => callIn(folder, tool, { max_tokens: 20_000, ...args })),
  overCli: (tool, args) =>
    inCopy(async (cwd) => {
      const { stdout } = await runCli(toParityArgv(registry, tool, args), { cwd, env: frozen });
      return JSON.parse(stdout) as Envelope;
    }),
};

describe("foundry-cli as a process, and the same calls in process", () => {
  // Jobs are stored outside of the workspace. test/tasks/foundry-jobs.test.ts tests them with the real programs.
  describeParity(registry, surfaces, table, [...specToolNames, "content", "server"], ["server jobs"]);
});
