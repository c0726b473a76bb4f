import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import { temporaryPath } from "#built/foundry/files/durable/temporary-files.js";
import { openRunFiles } from "../research/run-files.ts";
import { specOf } from "../specs/workspace.ts";
import { openCliSurface, openStdioSurface, type Place } from "./surfaces.ts";

/** A word in every text of the repository. In the copies outside, another word of the same length replaces it. */
export const innocentWord = "innocent";
export const outsideWord = "outsider";

/** A file or folder of the repository that is replaced by something hostile. */
export interface Target {
  /** The path relative to the repository. */
  readonly path: string;
  /** The path without ids and hashes, so that each kind of file and folder is attacked once. */
  readonly kind: string;
  readonly isFolder: boolean;
}

/** The ids that calls refer to. */
export interface RepositoryIds {
  readonly firstRevision: string;
  readonly archiveId: string;
  /** The id of a completed research run, and the id of a run whose process was killed. */
  readonly completedRun: string;
  readonly killedRun: string;
}

/** A repository that was used by a server, so that it contains every kind of file that Foundry creates. */
export interface SampleRepository {
  /** The folder that contains the repository, the home folder of its user, and the folder outside both. */
  readonly base: string;
  readonly folder: string;
  readonly outside: string;
  readonly home: string;
  readonly ids: RepositoryIds;
  /** One path for each kind of file and folder. The paths were found by listing the repository. */
  readonly targets: readonly Target[];
  /** Lists the kinds of files and folders that the repository contains now. */
  kinds(): readonly string[];
  /** Restores the repository, and empties the folder outside. */
  restore(): void;
  /** Creates a second repository with the same content. */
  clone(): SampleRepository;
  remove(): void;
}

/** Creates a repository and uses it with a real server. The server is killed during a research run. */
export async function createSampleRepository(): Promise<SampleRepository> {
  const base = createBase();
  const folder = join(base, "repository");
  writeSources(folder);
  const surface = await openStdioSurface({ cwd: folder, home: join(base, "home") });
  const call = async (tool: string, args: object): Promise<Envelope> => {
    const { envelope } = await surface.call({ tool, args });
    if (!envelope.success) throw new Error(`${tool} ${JSON.stringify(args)}: ${JSON.stringify(envelope)}`);
    return envelope;
  };
  const victim = { spec_id: "victim" };
  const history = async () =>
    (await call("spec", { action: "history", ...victim })).data["entries"] as { revision: string }[];
  await call("task", { action: "start", ...victim, task_id: "task-1-1" });
  await call("task", { action: "complete", ...victim, task_id: "task-1-1", idempotency_key: "used" });
  await call("journal", {
    action: "add",
    ...victim,
    title: innocentWord,
    content: `an ${innocentWord} note`,
  });
  const firstRevision = (await history()).at(-1)?.revision ?? "";
  await call("task", { action: "start", ...victim, task_id: "task-1-2" });
  const undone = (await history())[1]?.revision;
  await call("spec", { action: "rollback", ...victim, to_revision: undone, confirm: true });
  await call("task", { action: "claim", ...held });
  await call("authoring", { action: "spec-create", ...created });
  const pending = readFileSync(join(folder, "specs", "pending", "second-victim.json"));
  await call("lifecycle", { action: "activate", spec_id: "second-victim" });
  await call("spec", { action: "delete", spec_id: "fifth-victim", confirm: true });
  await call("plan", { action: "create", name: planName });
  const { meta } = await call("spec", { action: "get", ...victim, max_tokens: 400 });
  const [[archiveId, archived] = ["", ""]] = Object.entries(meta.content_archive_hashes ?? {});
  const { data: run } = await call("research", {
    action: "start",
    question: innocentWord,
    paths: ["notes/one.md"],
  });
  const completedRun = run["research_id"] as string;
  const killedRun = await killDuringResearch(folder, surface, [completedRun]);
  await keepVerification({ cwd: folder, home: join(base, "home") });
  leaveAsIfKilled(folder, killedRun, { pending, digest: archived.replace("sha256:", "") });
  await leaveTemporaries(folder);
  cpSync(folder, join(base, "pristine"), {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
  });
  return openRepository(base, { firstRevision, archiveId, completedRun, killedRun });
}

function openRepository(base: string, ids: RepositoryIds): SampleRepository {
  const folder = join(base, "repository");
  const outside = join(base, "outside");
  const pristine = join(base, "pristine");
  return {
    base,
    folder,
    outside,
    home: join(base, "home"),
    ids,
    targets: listTargets(pristine, ids),
    kinds: () => listTargets(folder, ids).map(({ kind }) => kind),
    restore() {
      for (const name of readdirSync(folder)) removeAll(join(folder, name));
      removeAll(outside);
      cpSync(pristine, folder, { recursive: true, preserveTimestamps: true });
      mkdirSync(outside);
    },
    clone() {
      const other = createBase();
      cpSync(pristine, join(other, "pristine"), { recursive: true, preserveTimestamps: true });
      cpSync(pristine, join(other, "repository"), { recursive: true, preserveTimestamps: true });
      return openRepository(other, ids);
    },
    remove: () => removeAll(base),
  };
}

function createBase(): string {
  const base = mkdtempSync(join(realpathSync(tmpdir()), "attack-"));
  for (const name of ["repository", "home", "outside"]) mkdirSync(join(base, name));
  return base;
}

/** Removes a path, even if it is a folder without permissions for its owner. */
function removeAll(path: string): void {
  const remove = () => rmSync(path, { recursive: true, force: true });
  try {
    remove();
  } catch {
    spawnSync("chmod", ["-R", "u+rwX", path]);
    remove();
  }
}

const documentCount = 12;

/** The spec and the task of the verification in the repository. */
export const verified = { spec_id: "fourth-victim", verify_id: "task-1-4" };

/** The arguments to claim a task for longer than any test runs. */
const held = { spec_id: "victim", task_id: "task-1-3", holder: innocentWord, lease_minutes: 1_440 };

/** The title of the plan in the repository, and its path in the specs folder. */
export const planName = `An ${innocentWord} plan`;
const planPath = `.plans/an-${innocentWord}-plan.md`;

/** The arguments of a spec that was created with an idempotency key. */
export const created = { name: `made ${innocentWord}`, idempotency_key: "made" };

/** Writes the files that a person would commit: settings, flags, specs and documents. */
function writeSources(folder: string): void {
  const specs = join(folder, "specs");
  for (const status of ["pending", "active", "completed", "archived"])
    mkdirSync(join(specs, status), { recursive: true });
  const write = (path: string, content: object) =>
    writeFileSync(join(folder, path), `${JSON.stringify(content, null, 2)}\n`);
  const writeSpec = (status: string, id: string) => {
    const spec = specOf(id, { title: `An ${innocentWord} ${id}`, tasks: 4 });
    const nodes = spec.hierarchy as Record<string, object>;
    // The stored responses of idempotency keys contain the title of their task.
    Object.assign(nodes["task-1-1"] ?? {}, { title: `An ${innocentWord} task` });
    if (id === "victim") Object.assign(spec.metadata, { plan_path: planPath });
    if (id === verified.spec_id) Object.assign(nodes[verified.verify_id] ?? {}, { type: "verify" });
    write(`specs/${status}/${id}.json`, spec);
  };
  writeSpec("active", "victim");
  writeSpec("pending", "second-victim");
  writeSpec("completed", "third-victim");
  writeSpec("archived", "fourth-victim");
  writeSpec("pending", "fifth-victim");
  for (const status of ["active", "pending"]) writeSpec(status, `${status}-bystander`);
  write("flags.json", { flags: { [innocentWord]: { state: "stable", description: "A flag" } } });
  write(".mcp.json", { mcpServers: { [innocentWord]: { command: "true" } } });
  writeFileSync(join(folder, "foundry.toml"), 'flags_file = "flags.json"\nspecs_dir = "specs"\n');
  mkdirSync(join(folder, "notes"));
  writeFileSync(join(folder, "notes", "one.md"), `# Notes\n\nThe ${innocentWord} note says something.\n`);
  for (let number = 0; number < documentCount; number++)
    writeFileSync(join(folder, longPath(number)), longDocument(number, 4_000));
}

/**
 * Returns the path of a document that takes time to read. In a list of sources, the word occurs only in the paths.
 */
function longPath(number: number): string {
  return `notes/long-${innocentWord}-${number}.md`;
}

function longDocument(number: number, sentences: number): string {
  const lines = Array.from(
    { length: sentences },
    (_, at) => `The ${innocentWord} line ${at} is in ${number}.`,
  );
  return `# Document ${number}\n\n${lines.join("\n")}\n`;
}

/** Starts a research run over documents that take time to read, and kills its process after the first document. */
async function killDuringResearch(
  folder: string,
  surface: Awaited<ReturnType<typeof openStdioSurface>>,
  known: readonly string[],
): Promise<string> {
  const runs = openRunFiles(folder);
  const paths = Array.from({ length: documentCount }, (_, number) => longPath(number));
  const call = { tool: "research", args: { action: "start", question: innocentWord, paths } };
  const answer = surface.call(call).catch(() => undefined);
  const id = await runs.untilBegun(known);
  await runs.untilDone(id, 1);
  await surface.kill();
  await answer;
  // After the kill, the documents are short, so that they are read quickly.
  for (const path of paths) writeFileSync(join(folder, path), longDocument(0, 3));
  return id;
}

/**
 * Records a verification with its output. The command line stores the output in a file, and servers store it in the
 * archive.
 */
async function keepVerification(place: Place): Promise<void> {
  const { spec_id, verify_id } = verified;
  const result = ["--result", "PASSED", "--output", `an ${innocentWord} output`];
  const call = {
    tool: "verification",
    args: {},
    argv: ["verification", "add", spec_id, verify_id, ...result],
  };
  const { envelope } = await openCliSurface(place).call(call);
  if (!envelope.success) throw new Error(JSON.stringify(envelope));
}

/** The data of a process that was killed while it moved a spec, and while it removed archived content. */
interface Interrupted {
  /** The text of the second victim before it was activated. */
  readonly pending: Uint8Array;
  /** The digest of the content. */
  readonly digest: string;
}

/**
 * Adds the leftovers of processes that were killed at other moments: locks, drafts, and files that were moved aside.
 */
function leaveAsIfKilled(folder: string, run: string, { pending, digest }: Interrupted): void {
  const own = join(folder, "specs", ".foundry");
  const lockText = readFileSync(join(own, "research", run, "run.lock"));
  writeFileSync(join(own, "locks", "victim.lock"), lockText);
  const moved = join(folder, "specs", "active", "second-victim.json");
  renameSync(moved, join(own, "moves", "second-victim.json"));
  writeFileSync(moved, pending);
  writeFileSync(join(own, "research", run, "cancelled"), "");
  const objects = join(own, "archive", "objects", digest.slice(0, 2));
  mkdirSync(join(own, "archive", "aside"), { recursive: true });
  renameSync(join(objects, digest), join(own, "archive", "aside", `object.${digest}.0123456789ab`));
  if (readdirSync(objects).length === 0) rmdirSync(objects);
  writeFileSync(join(own, "archive", "tmp", "0123456789abcdef01234567"), innocentWord);
  for (const lock of [join(own, "locks", "victim.lock"), join(own, "research", run, "run.lock")])
    for (const marker of ["0123456789abcdef", "unnamed-1-2"])
      writeFileSync(`${lock}.break.${marker}`, lockText);
}

/**
 * Adds the temporary file of a process that was killed while it replaced a file. The file is added to every folder in
 * which files are replaced.
 */
async function leaveTemporaries(folder: string): Promise<void> {
  const own = join(folder, "specs", ".foundry");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    // The archive uses separate names and a separate folder for temporary files. Documents and settings are written
    // by people.
    .filter((path) => path.startsWith(join(folder, "specs")) || path.endsWith(".mcp.json"))
    .filter((path) => !path.startsWith(join(own, "archive")));
  const firstOfEach = new Map(files.map((path) => [dirname(path), path]));
  const { pid } = spawnSync("true");
  for (const path of firstOfEach.values()) {
    const ours = await temporaryPath(path);
    writeFileSync(ours.replace(`-${process.pid}-`, `-${pid}-`), innocentWord);
  }
}

/** Lists every file and folder of a repository, and selects one path of each kind. */
function listTargets(folder: string, { killedRun }: RepositoryIds): readonly Target[] {
  const specIds = ["pending", "active", "completed", "archived", ".foundry/trash/pending"]
    .flatMap((name) => readdirSync(join(folder, "specs", name)))
    .map((name) => name.replace(/\.json$/, ""))
    .toSorted((one, other) => other.length - one.length);
  const all = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/");
      return { path, kind: toKind(path, specIds), isFolder: entry.isDirectory() };
    })
    .filter(({ path }) => !path.startsWith("notes/long"))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const isPreferred = ({ path }: Target) => /\/\.?victim\b/.test(path) || path.includes(killedRun);
  const byKind = new Map<string, Target>();
  for (const target of [...all.filter(isPreferred), ...all])
    if (!byKind.has(target.kind)) byKind.set(target.kind, target);
  return [...byKind.values()].toSorted((one, other) => (one.kind < other.kind ? -1 : 1));
}

function toKind(path: string, specIds: readonly string[]): string {
  const names = path
    .replace(/arc_[0-9a-z]+/g, "ARCHIVE_ID")
    .replace(/research-\d{8}-[0-9a-f]{6}/g, "RESEARCH_ID")
    .replace(/base-\d+-[0-9a-f]+/g, "base-REVISION")
    .replace(/replaced-\d+-[0-9a-f]+-\d+/g, "replaced-REVISION")
    .replace(/(^|\/)[^/]+\.[0-9a-f]{8}-\d+-[0-9a-f]{16}\.tmp$/, "$1TEMPORARY")
    .replace(/\.plans\/[a-z-]+\.md$/, ".plans/PLAN.md")
    .replace(/objects\/[0-9a-f]{2}/g, "objects/XX")
    .replace(/[0-9a-f]{12,}/g, "HEX");
  const parts = names.split("/").map((name) => {
    const id = specIds.find((each) => name === each || name.startsWith(`${each}.`));
    return id === undefined ? name : name.replace(id, "SPEC_ID");
  });
  return parts.join("/");
}

/** Removes the permissions of the owner from a path. */
export function forbid(path: string): void {
  chmodSync(path, 0o000);
}
