import { join } from "node:path";
import { isContractError } from "@foundry-mcp/contract";
import { type FileStat, type FileSystem, isSameFile } from "@foundry-mcp/toolkit/files";
import { type Splice, toInverse } from "../../../files/json-text/splice.ts";
import { maxBytes } from "../../model/text-limits.ts";
import { hashOf } from "../spec-file.ts";
import type { HistoryEntry } from "../spec-store.ts";
import { HistoryFiles, maxLogBytes, type SpecFileContent } from "./history-files.ts";
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
import { ReplacedFiles } from "./replaced-files.ts";
import { type Anchor, restoreText } from "./restore-text.ts";
import { type FoundRevision, type LoggedHistory, tipBefore, tipOf, toChain } from "./revision-chain.ts";
import { toSplices } from "./to-splices.ts";

export type { HistoryOrigin, HistoryStep };

/** The current revision of a spec. */
export interface CurrentRevision extends FoundRevision {
  /** When it was made, for a revision that is not in the log. @default now */
  readonly at?: string | undefined;
}

/** The tail of a log, cached for the next record. */
interface LogTail {
  /** Undefined without a log. */
  readonly stat: FileStat | undefined;
  readonly bases: readonly string[];
  readonly last: Pick<LogLine, "from" | "to"> | undefined;
  readonly count: number;
  readonly isTorn: boolean;
}

/** The maximum size of a step for an outside edit, for a larger one the history starts anew: no two specs differ by more. */
const maxOutsideEdit = 2 * maxBytes;
const outsideEdit = { author: "unknown", action: "edited outside", about: [] };

/**
 * The history of specs, in a folder per spec: a log with a line for every change, which holds only the replaced bytes,
 * and one full text, the base. Starting from the base or from the current text, the lines restore every revision,
 * forward and backward. Lines are written ahead of their change; a line to a revision that never existed is ignored.
 */
export class HistoryFolder {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #keep: number;
  /** The maximum size of a step for an outside edit. */
  readonly #maxOutsideBytes: number;
  readonly #tails = new Map<string, LogTail>();

  /** @param keep - how many revisions are kept at least; twice as many may be. 0 for none. */
  constructor(fs: FileSystem, folder: string, keep: number, maxOutsideBytes = maxOutsideEdit) {
    this.#fs = fs;
    this.#folder = folder;
    this.#keep = keep;
    this.#maxOutsideBytes = maxOutsideBytes;
  }

  /**
   * Records the bytes that a change replaces, just before its commit and under the spec's lock. `before.overwritten` is
   * the acknowledged revision that another program replaced by the text before the change.
   */
  async record(
    id: string,
    step: HistoryStep,
    splices: readonly Splice[],
    before: SpecFileContent & Pick<CurrentRevision, "overwritten">,
  ): Promise<void> {
    if (this.#keep === 0) return;
    const files = this.#filesOf(id);
    let tail = await this.#readTail(id, files);
    this.#tails.delete(id);
    if (isEditedOutside(tail, step.from)) tail = await this.#recordOutsideEdit(id, files, tail, step, before);
    else if (tail.bases.length === 0) {
      await files.saveBase(step.from, before);
      tail = { ...tail, bases: [step.from] };
    }
    if (tail.count > 2 * this.#keep || (tail.stat?.size ?? 0) > maxLogBytes)
      tail = await this.#prune(files, tail, step.from, before);
    this.#tails.set(id, await this.#append(files, tail, step, splices, before));
  }

  /**
   * Gives the spec file that a change is about to replace a second name, just before its commit; returns a function
   * that takes it away if nothing is replaced.
   */
  async keepReplaced(
    id: string,
    revision: string,
    file: string,
    stat: FileStat,
  ): Promise<() => Promise<void>> {
    if (this.#keep === 0) return async () => {};
    const replaced = this.#replacedOf(id);
    const path = await replaced.keep(revision, file, stat);
    return async () => {
      if (path !== undefined) await replaced.drop(path);
    };
  }

  /**
   * Records what other programs wrote into files that changes had replaced, under the spec's lock: each text becomes a
   * revision that the current one follows. Returns these revisions.
   */
  async recordLateEdits(
    id: string,
    current: { readonly revision: string; readonly bytes: Uint8Array },
    at: string,
  ): Promise<readonly string[]> {
    if (this.#keep === 0) return [];
    const replaced = this.#replacedOf(id);
    const edits = await replaced.findLateEdits();
    if (edits.length === 0) return [];
    const files = this.#filesOf(id);
    const { lines } = await this.#readHistory(id);
    const { splices: _, ...made } = lines.findLast(({ to }) => to === current.revision) ?? {
      ...{ at, ...outsideEdit, splices: [] },
    };
    const revisions: string[] = [];
    this.#tails.delete(id);
    for (const edit of edits) {
      const revision = `${Number.parseInt(current.revision, 10)}-${hashOf([edit.text])}`;
      if (revision !== current.revision) {
        const there = { from: current.revision, to: revision, at, ...outsideEdit };
        const back = { ...made, from: revision, to: current.revision };
        const splices = toSplices(current.bytes, edit.text);
        // One write: a text without the way back would make the current revision look like a change that was undone.
        await files.append(`${printLine(there, splices)}\n${printLine(back, toInverse(splices))}\n`);
        revisions.push(revision);
      }
      await replaced.settle(edit, revision);
    }
    return revisions;
  }

  /** Starts the history of a new spec, under its lock. */
  async start(id: string, origin: HistoryOrigin, file: string): Promise<void> {
    if (this.#keep === 0) return;
    const files = this.#filesOf(id);
    this.#tails.delete(id);
    const bases = await files.bases(true);
    await files.writeLog(`${printLine(origin, [])}\n`, file);
    await files.dropBases(bases, "");
  }

  /** Replaces the history of a spec by an imported one, under its lock. */
  async import(
    id: string,
    origin: HistoryOrigin,
    steps: readonly { readonly step: HistoryStep; readonly splices: readonly Splice[] }[],
    file: string,
  ): Promise<void> {
    if (this.#keep === 0) return;
    const files = this.#filesOf(id);
    this.#tails.delete(id);
    const bases = await files.bases(true);
    const lines = steps.map(({ step, splices }) => printLine(step, splices));
    await files.writeLog(`${[printLine(origin, []), ...lines].join("\n")}\n`, file);
    await files.dropBases(bases, "");
  }

  /** Lists the revisions that can be restored, newest first, always including the current one. */
  async list(id: string, current: CurrentRevision): Promise<readonly HistoryEntry[]> {
    const { revision, at = new Date().toISOString() } = current;
    const logged = await this.#readHistory(id);
    const tip = tipOf(logged, current);
    const { revisions, steps, origin } = toChain(logged, tip);
    const isReached = tip === revision || logged.bases.some((base) => revisions.includes(base));
    const entries = isReached ? steps.map(toEntry).reverse() : [];
    if (tip !== revision) entries.unshift({ revision, at, ...outsideEdit });
    const first = revisions[0] as string;
    if (isReached)
      entries.push(
        origin === undefined
          ? { revision: first, at: steps[0]?.at ?? at, author: "unknown", action: "first seen", about: [] }
          : toEntry(origin),
      );
    // A revision that was restored outside of Foundry occurs twice in the chain.
    const seen = new Set<string>();
    return entries.filter((entry) => !seen.has(entry.revision) && seen.add(entry.revision));
  }

  /** Reads the exact text of a revision; undefined if it is not kept. */
  async readRevision(
    id: string,
    revision: string,
    current: CurrentRevision & { readonly bytes: Uint8Array },
  ): Promise<Uint8Array | undefined> {
    if (revision === current.revision) return current.bytes;
    const logged = await this.#readHistory(id);
    const tip = tipOf(logged, current);
    const now: Anchor = { revision: current.revision, read: async () => current.bytes };
    const anchors = [...this.#anchorsOf(id, logged), ...(tip === current.revision ? [now] : [])];
    return restoreText(id, revision, toChain(logged, tip), anchors);
  }

  /** Records an outside edit as a step, or starts the history anew if the old text is lost or the step too large. */
  async #recordOutsideEdit(
    id: string,
    files: HistoryFiles,
    tail: LogTail,
    { from, at }: HistoryStep,
    before: SpecFileContent & Pick<CurrentRevision, "overwritten">,
  ): Promise<LogTail> {
    const logged = await this.#readHistory(id);
    const tip = tipBefore(logged, { revision: from, overwritten: before.overwritten });
    const text = await this.#restore(id, tip, logged);
    if (text !== undefined) {
      const splices = toSplices(text, before.bytes);
      if (sizeOf(splices) <= this.#maxOutsideBytes)
        return this.#append(files, tail, { from: tip, to: from, at, ...outsideEdit }, splices, before);
    }
    const origin = { to: from, at, ...outsideEdit };
    return this.#restart(files, tail, [`${printLine(origin, [])}\n`], from, before);
  }

  /** Removes the oldest revisions. */
  async #prune(files: HistoryFiles, tail: LogTail, from: string, before: SpecFileContent): Promise<LogTail> {
    const log = (await files.readLog()) ?? new Uint8Array();
    const { steps, origin } = toChain({ lines: parseLog(log), bases: [] }, from);
    const kept: string[] = [];
    let size = 0;
    let first = steps.length;
    while (first > 0 && kept.length < this.#keep - 1) {
      const line = `${JSON.stringify(steps[first - 1])}\n`;
      size += line.length;
      if (size > maxLogBytes / 2) break;
      kept.push(line);
      first--;
    }
    const left = first === 0 ? origin : steps[first - 1];
    if (left !== undefined) kept.push(`${printLine(toOrigin(left), [])}\n`);
    return this.#restart(files, tail, kept.reverse(), from, before);
  }

  /** Makes the current text the base, and these lines the log. */
  async #restart(
    files: HistoryFiles,
    tail: LogTail,
    lines: readonly string[],
    from: string,
    before: SpecFileContent,
  ): Promise<LogTail> {
    // Old bases are removed last, so that a crash at any point leaves a usable history.
    await files.saveBase(from, before);
    await files.writeLog(lines.join(""), before.file);
    await files.dropBases(tail.bases, from);
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
    tail: LogTail,
    step: HistoryStep,
    splices: readonly Splice[],
    { file }: SpecFileContent,
  ): Promise<LogTail> {
    const line = `${tail.isTorn ? "\n" : ""}${printLine(step, splices)}\n`;
    const { from, to } = step;
    const stat = tail.stat === undefined ? await files.writeLog(line, file) : await files.append(line);
    return { bases: tail.bases, stat, last: { from, to }, count: tail.count + 1, isTorn: false };
  }

  async #readTail(id: string, files: HistoryFiles): Promise<LogTail> {
    const known = this.#tails.get(id);
    const stat = await files.statLog();
    if (known?.stat !== undefined && stat !== undefined && isSameFile(known.stat, stat)) return known;
    const bases = await files.bases(true);
    const log = stat && (await files.readLog());
    if (log === undefined) return { stat: undefined, bases, last: undefined, count: 0, isTorn: false };
    return { stat, bases, last: lastLine(log), count: countLines(log), isTorn: isTorn(log) };
  }

  async #readHistory(id: string): Promise<LoggedHistory> {
    if (this.#keep === 0) return { lines: [], bases: [] };
    const files = this.#filesOf(id);
    const log = await files.readLog();
    return { lines: log === undefined ? [] : parseLog(log), bases: await files.bases() };
  }

  /** Restores the text of a revision from the bases; undefined if they are missing or damaged. */
  async #restore(id: string, revision: string, logged: LoggedHistory): Promise<Uint8Array | undefined> {
    try {
      return await restoreText(id, revision, toChain(logged, revision), this.#anchorsOf(id, logged));
    } catch (thrown) {
      if (isContractError(thrown)) return undefined;
      throw thrown;
    }
  }

  #anchorsOf(id: string, { bases }: LoggedHistory): readonly Anchor[] {
    const files = this.#filesOf(id);
    return bases.map((revision) => ({ revision, read: () => files.readBase(revision) }));
  }

  #replacedOf(id: string): ReplacedFiles {
    return new ReplacedFiles(this.#fs, join(this.#folder, id));
  }

  #filesOf(id: string): HistoryFiles {
    return new HistoryFiles(this.#fs, join(this.#folder, id));
  }
}

/** True if the log does not tail at the current revision, because another program changed the file. A line of an uncommitted change still starts at it. */
function isEditedOutside({ last, bases }: LogTail, current: string): boolean {
  if (last === undefined) return bases.length > 0 && !bases.includes(current);
  return last.to !== current && last.from !== current;
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
