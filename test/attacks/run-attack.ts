import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkEnvelope } from "@foundry-mcp/contract";
import type { Attack } from "./attacks.ts";
import { outsideWord, type SampleRepository, type Target } from "./sample-repository.ts";
import { type Answer, type Call, describeCall, type Surface } from "./surfaces.ts";

/**
 * The maximum memory of a process in MB. None of these calls needs so much, but a process that reads a device or a
 * huge file needs far more.
 */
const maxMb = 700;

/** Applies an attack, makes calls, and returns the faults. */
export async function runAttack(
  repository: SampleRepository,
  { path }: Target,
  attack: Attack,
  surface: Surface,
  calls: readonly Call[],
): Promise<readonly string[]> {
  const found: string[] = [];
  const report = (what: string) => found.push(`${path} is ${attack.name}, ${surface.name}: ${what}`);
  repository.restore();
  await attack.place(join(repository.folder, path), repository);
  const before = snapshot(repository);
  for (const call of calls) {
    try {
      for (const fault of faultsOf(await surface.call(call), repository))
        report(`${describeCall(call)}: ${fault}`);
    } catch (err) {
      report(`${describeCall(call)}: ${(err as Error).message}`);
      await surface.restart().catch((again: Error) => report(`restart: ${again.message}`));
      // If one call hangs, every later call would hang too.
      break;
    }
  }
  // Each command reads the settings again, and fails if they are unusable.
  const isRefused = surface.isOneShot && !path.includes("/") && path !== "specs";
  const isHidden = isRefused || (attack.name === "no permission" && isStatusFolder(path));
  const [answers, wanted] = isHidden ? [0, 0] : await askBystanders(surface, path);
  if (answers < wanted) report(`${answers} of ${wanted} other specs are served`);
  const after = snapshot(repository);
  for (const name of new Set([...before.keys(), ...after.keys()]))
    if (before.get(name) !== after.get(name)) report(`${name} outside was changed`);
  const peakMb = Math.round(surface.peakMb());
  if (peakMb > maxMb) {
    report(`the process used ${peakMb} MB`);
    await surface.restart().catch((err: Error) => report(`restart: ${err.message}`));
  }
  return found;
}

/**
 * Returns true for a status folder. If a status folder cannot be read, its contents are unknown, so no spec is served
 * from the other folders either.
 */
function isStatusFolder(path: string): boolean {
  return /^specs\/[a-z]+$/.test(path);
}

/** Requests specs that were not attacked. A spec inside an attacked folder need not be found. */
async function askBystanders(
  surface: Surface,
  path: string,
): Promise<readonly [answers: number, wanted: number]> {
  // Starting one program for each spec would take too long.
  const all = surface.isOneShot ? ["active-bystander"] : ["active-bystander", "pending-bystander"];
  const ids = all.filter((id) => path !== "specs" && path !== `specs/${id.split("-")[0]}`);
  let answers = 0;
  for (const id of ids) {
    const call = { tool: "task", args: { action: "progress", spec_id: id }, argv: ["tasks", "progress", id] };
    const answer = await surface.call(call).catch(() => undefined);
    if (answer?.envelope.success) answers++;
  }
  return [answers, ids.length];
}

/** Returns the faults of an answer that are independent of the call. */
function faultsOf({ envelope, text, status }: Answer, { outside }: SampleRepository): readonly string[] {
  const { success, error, data } = envelope;
  const faults = checkEnvelope(envelope)
    .filter(({ level }) => level === "MUST")
    .map((fault) => `no valid envelope: ${JSON.stringify(fault)}`);
  if (!success) {
    const { error_code: code, remediation } = data;
    if (code === "INTERNAL_ERROR") faults.push(`INTERNAL_ERROR: ${error}`);
    if (typeof remediation !== "string" || remediation === "") faults.push(`no remedy: ${error}`);
  }
  if (status === 500) faults.push(`status 500: ${error}`);
  if (text.includes(outsideWord)) faults.push("it tells the text of a file outside");
  if (text.includes(outside)) faults.push("it tells a path outside");
  return faults;
}

/**
 * Describes the files outside the repository by their names, kinds, contents and times. Any change alters the line of
 * its file.
 */
export function snapshot({ outside, home }: SampleRepository): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const folder of [outside, home]) {
    lines.set(folder, describe(folder));
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
      lines.set(join(folder, name), describe(join(folder, name)));
  }
  return lines;
}

function describe(path: string): string {
  const { mode, size, mtimeNs, ctimeNs, nlink } = lstatSync(path, { bigint: true });
  const isFile = lstatSync(path).isFile();
  const content = isFile ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
  return `${mode} ${size} ${mtimeNs} ${ctimeNs} ${nlink} ${content}`;
}
