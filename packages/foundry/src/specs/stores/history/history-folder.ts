import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { type FileStat, type FileSystem, isSameFile } from "../../../files/durable/file-system.ts";
import type { Splice } from "../../../files/json-text/splice.ts";
import type { HistoryEntry } from "../spec-store.ts";
import { HistoryFiles, type SpecFileContent } from "./history-files.ts";
import {
  countLines,
  type HistoryOrigin,
  type HistoryStep,
  isTorn,
  type LogLine,
  lastLine,
  parseLog,
  printLine,
} from "./history-log.ts";
import { type Anchor, restoreText } from "./restore-text.ts";
import { type LoggedHistory, tipOf, toChain } from "./revision-chain.ts";
import { toSplices } from "./to-splices.ts";

export type { HistoryOrigin, HistoryStep };

/** A spec as it is now. */
export interface CurrentRevision {
  readonly revision: string;
  /** When it came to be, for a revision that nothing tells of. @default now */
  readonly at?: string | undefined;
}

/** What the next record has to know of a log. */
interface LogTail {
  /** Undefined where there is no log. */
  readonly stat: FileStat | undefined;
  readonly bases: readonly string[];
  readonly last: Pick<LogLine, "from" | "to"> | undefined;
  readonly count: number;
  readonly isTorn: boolean;
}

/** However few the changes in it: a log is read whole. */
const mostLogBytes = 256 * 2 ** 20;
/** What others made of a file is kept as a step up to so many bytes; beyond them history begins anew. */
const mostBridged = 32 * 2 ** 20;
const byOthers = { author: "unknown", action: "edited outside", about: [] };

/**
 * What specs were before, in a folder for each: a log with a line for every change, which holds just the bytes that
 * it replaced, and one whole text. From that, or from the spec as it is now, the lines lead to every revision, on and
 * back. A line is written before its change is made: what leads to no revision that there was is void.
 */
export class HistoryFolder {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #keep: number;
  /** How many bytes a step by others may have. */
  readonly #bridged: number;
  readonly #ends = new Map<string, LogTail>();

  /** @param keep - how many revisions are kept at least; twice as many may be. 0 for none. */
  constructor(fs: FileSystem, folder: string, keep: number, bridged = mostBridged) {
    this.#fs = fs;
    this.#folder = folder;
    this.#keep = keep;
    this.#bridged = bridged;
  }

  /**
   * Keeps what a change replaces, just before it is made and under the lock of its spec. `before.file` may get a second
   * name by it, so its identity must have been checked before.
   */
  async record(
    id: string,
    step: HistoryStep,
    splices: readonly Splice[],
    before: SpecFileContent,
  ): Promise<void> {
    if (this.#keep === 0) return;
    const files = this.#filesOf(id);
    let end = await this.#endOf(id, files);
    this.#ends.delete(id);
    if (isEditedOutside(end, step.from)) end = await this.#follow(id, files, end, step, before);
    else if (end.bases.length === 0) {
      await files.saveBase(step.from, before);
      end = { ...end, bases: [step.from] };
    }
    if (end.count > 2 * this.#keep || (end.stat?.size ?? 0) > mostLogBytes)
      end = await this.#prune(files, end, step.from, before);
    this.#ends.set(id, await this.#append(files, end, step, splices, before));
  }

  /** Begins the history of a spec that was just created, under its lock. */
  async start(id: string, origin: HistoryOrigin, file: string): Promise<void> {
    if (this.#keep === 0) return;
    const files = this.#filesOf(id);
    this.#ends.delete(id);
    const bases = await files.bases(true);
    await files.writeLog(`${printLine(origin, [])}\n`, file);
    await files.dropBases(bases, "");
  }

  /** Takes over the history of a spec that comes from elsewhere, under its lock; whatever was known before goes. */
  async import(
    id: string,
    origin: HistoryOrigin,
    steps: readonly { readonly step: HistoryStep; readonly splices: readonly Splice[] }[],
    file: string,
  ): Promise<void> {
    if (this.#keep === 0) return;
    const files = this.#filesOf(id);
    this.#ends.delete(id);
    const bases = await files.bases(true);
    const lines = steps.map(({ step, splices }) => printLine(step, splices));
    await files.writeLog(`${[printLine(origin, []), ...lines].join("\n")}\n`, file);
    await files.dropBases(bases, "");
  }

  /** The revisions that can be restored, the newest first; the present one is always among them. */
  async list(id: string, present: CurrentRevision): Promise<readonly HistoryEntry[]> {
    const { revision, at = new Date().toISOString() } = present;
    const past = await this.#readPast(id);
    const tip = tipOf(past, revision);
    const { revisions, steps, origin } = toChain(past, tip);
    const isReached = tip === revision || past.bases.some((base) => revisions.includes(base));
    const entries = isReached ? steps.map(toEntry).reverse() : [];
    if (tip !== revision) entries.unshift({ revision, at, ...byOthers });
    const first = revisions[0] as string;
    if (isReached)
      entries.push(
        origin === undefined
          ? { revision: first, at: steps[0]?.at ?? at, author: "unknown", action: "first seen", about: [] }
          : toEntry(origin),
      );
    // A text that came back under its old name is one revision.
    const seen = new Set<string>();
    return entries.filter((entry) => !seen.has(entry.revision) && seen.add(entry.revision));
  }

  /** The text of a revision, byte for byte; undefined for one that is not kept. */
  async readRevision(
    id: string,
    revision: string,
    present: CurrentRevision & { readonly bytes: Uint8Array },
  ): Promise<Uint8Array | undefined> {
    if (revision === present.revision) return present.bytes;
    const past = await this.#readPast(id);
    const tip = tipOf(past, present.revision);
    const now: Anchor = { revision: present.revision, read: async () => present.bytes };
    const anchors = [...this.#anchorsOf(id, past), ...(tip === present.revision ? [now] : [])];
    return restoreText(id, revision, toChain(past, tip), anchors);
  }

  /** Follows what others have done to the file: with a step, or from a new beginning where there is no way or too long a one. */
  async #follow(
    id: string,
    files: HistoryFiles,
    end: LogTail,
    { from, at }: HistoryStep,
    before: SpecFileContent,
  ): Promise<LogTail> {
    const past = await this.#readPast(id);
    const tip = past.lines.at(-1)?.to ?? (past.bases.at(-1) as string);
    const text = await this.#restore(id, tip, past);
    if (text !== undefined) {
      const splices = toSplices(text, before.bytes);
      if (sizeOf(splices) <= this.#bridged)
        return this.#append(files, end, { from: tip, to: from, at, ...byOthers }, splices, before);
    }
    const origin = { to: from, at, ...byOthers };
    return this.#startAt(files, end, [`${printLine(origin, [])}\n`], from, before);
  }

  /** Forgets the oldest revisions. */
  async #prune(files: HistoryFiles, end: LogTail, from: string, before: SpecFileContent): Promise<LogTail> {
    const log = (await files.readLog()) ?? new Uint8Array();
    const { steps, origin } = toChain({ lines: parseLog(log), bases: [] }, from);
    const kept: string[] = [];
    let size = 0;
    let first = steps.length;
    while (first > 0 && kept.length < this.#keep - 1) {
      const line = `${JSON.stringify(steps[first - 1])}\n`;
      size += line.length;
      if (size > mostLogBytes / 2) break;
      kept.push(line);
      first--;
    }
    const left = first === 0 ? origin : steps[first - 1];
    if (left !== undefined) kept.push(`${printLine(toOrigin(left), [])}\n`);
    return this.#startAt(files, end, kept.reverse(), from, before);
  }

  /** Makes the present text the base, and these lines the log. */
  async #startAt(
    files: HistoryFiles,
    end: LogTail,
    lines: readonly string[],
    from: string,
    before: SpecFileContent,
  ): Promise<LogTail> {
    // The bases that there are stay until the log does without them, whenever this may be cut short.
    await files.saveBase(from, before);
    await files.writeLog(lines.join(""), before.file);
    await files.dropBases(end.bases, from);
    return {
      stat: await files.statLog(),
      bases: [from],
      last: lines.length === 0 ? undefined : { to: from },
      count: lines.length,
      isTorn: false,
    };
  }

  async #append(
    files: HistoryFiles,
    end: LogTail,
    step: HistoryStep,
    splices: readonly Splice[],
    { file }: SpecFileContent,
  ): Promise<LogTail> {
    const line = `${end.isTorn ? "\n" : ""}${printLine(step, splices)}\n`;
    if (end.stat === undefined) await files.writeLog(line, file);
    else await files.append(line);
    const { from, to } = step;
    const stat = await files.statLog();
    return { bases: end.bases, stat, last: { from, to }, count: end.count + 1, isTorn: false };
  }

  async #endOf(id: string, files: HistoryFiles): Promise<LogTail> {
    const known = this.#ends.get(id);
    const stat = await files.statLog();
    if (known?.stat !== undefined && stat !== undefined && isSameFile(known.stat, stat)) return known;
    const bases = await files.bases(true);
    const log = stat && (await files.readLog());
    if (log === undefined) return { stat: undefined, bases, last: undefined, count: 0, isTorn: false };
    return { stat, bases, last: lastLine(log), count: countLines(log), isTorn: isTorn(log) };
  }

  async #readPast(id: string): Promise<LoggedHistory> {
    if (this.#keep === 0) return { lines: [], bases: [] };
    const files = this.#filesOf(id);
    const log = await files.readLog();
    return { lines: log === undefined ? [] : parseLog(log), bases: await files.bases() };
  }

  /** The text of a revision as the bases tell it; undefined where they do not, or not rightly. */
  async #restore(id: string, revision: string, past: LoggedHistory): Promise<Uint8Array | undefined> {
    try {
      return await restoreText(id, revision, toChain(past, revision), this.#anchorsOf(id, past));
    } catch (thrown) {
      if (isContractError(thrown)) return undefined;
      throw thrown;
    }
  }

  #anchorsOf(id: string, { bases }: LoggedHistory): readonly Anchor[] {
    const files = this.#filesOf(id);
    return bases.map((revision) => ({ revision, read: () => files.readBase(revision) }));
  }

  #filesOf(id: string): HistoryFiles {
    return new HistoryFiles(this.#fs, join(this.#folder, id));
  }
}

/** True where a log leads to another revision than there is: others have changed the file. A change that was never made still leads away from it. */
function isEditedOutside({ last, bases }: LogTail, present: string): boolean {
  if (last === undefined) return bases.length > 0 && !bases.includes(present);
  return last.to !== present && last.from !== present;
}

function sizeOf(splices: readonly Splice[]): number {
  return splices.reduce((sum, { removed, inserted }) => sum + removed.length + inserted.length, 0);
}

function toEntry({ to: revision, at, author, action, about }: HistoryOrigin): HistoryEntry {
  return { revision, at, author, action, about };
}

function toOrigin({ to, at, author, action, about }: HistoryOrigin): HistoryOrigin {
  return { to, at, author, action, about };
}
