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

/** A change from one revision to the next, and the replacements that turn the old text into the new text. */
export interface RevisionStep {
  readonly step: HistoryStep;
  readonly splices: readonly Splice[];
}

/** The current revision of a spec. */
export interface CurrentRevision extends FoundRevision {
  /** The time of the revision, for a revision that is not in the log. @default now */
  readonly at?: string | undefined;
}

/** The end of a log, cached for the next record. */
interface LogTail {
  /** The stat of the log; undefined if there is no log. */
  readonly stat: FileStat | undefined;
  readonly bases: readonly string[];
  readonly last: Pick<LogLine, "from" | "to"> | undefined;
  readonly count: number;
  readonly isTorn: boolean;
}

/**
 * The maximum size of a step for an outside edit, in bytes. A larger step starts a new history. No two specs
 * differ by more than this size.
 */
const maxOutsideEdit = 2 * maxBytes;
/** The maximum size in bytes of a log whose lines are kept. */
const maxParsedBytes = 16 * 2 ** 20;
const outsideEdit = { author: "unknown", action: "edited outside", about: [] };

/**
 * The history of specs. Each spec has a folder with a log and one full text, the base. The log has one line per
 * change; the line contains only the replaced bytes. Every revision can be restored by applying the lines forward or
 * backward to the base or to the current text. The line of a change is written before the change itself. A line to a
 * revision that was never created is ignored.
 */
export class HistoryFolder {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #keep: number;
  /** The maximum size of a step for an outside edit, in bytes. */
  readonly #maxOutsideBytes: number;
  readonly #tails = new Map<string, LogTail>();
  /** The log that was parsed last, with its lines. */
  #parsed: { readonly id: string; readonly log: Uint8Array; readonly lines: readonly LogLine[] } | undefined;

  /**
   * @param keep - the minimum number of revisions to keep; up to twice as many may be kept. With 0, no
   * revisions are kept.
   */
  constructor(fs: FileSystem, folder: string, keep: number, maxOutsideBytes = maxOutsideEdit) {
    this.#fs = fs;
    this.#folder = folder;
    this.#keep = keep;
    this.#maxOutsideBytes = maxOutsideBytes;
  }

  /**
   * Records the bytes that consecutive changes replace. The record is written just before the commit, while the
   * lock of the spec is held. `before` is the text before the first change. `before.overwritten` is the
   * acknowledged revision that another program replaced with that text.
   */
  async record(
    id: string,
    steps: readonly RevisionStep[],
    before: SpecFileContent & Pick<CurrentRevision, "overwritten">,
  ): Promise<void> {
    const step = steps[0]?.step;
    if (this.#keep === 0 || step === undefined) return;
    const files = this.#filesOf(id);
    let tail = await this.#readTail(id, files);
    this.#tails.delete(id);
    if (isEditedOutside(tail, step.from) && !(await this.#isAbandoned(id, step.from)))
      tail = await this.#recordOutsideEdit(id, files, tail, step, before);
    else if (tail.bases.length === 0) {
      await files.saveBase(step.from, before);
      tail = { ...tail, bases: [step.from] };
    }
    if (tail.count + steps.length - 1 > 2 * this.#keep || (tail.stat?.size ?? 0) > maxLogBytes)
      tail = await this.#prune(files, tail, step.from, before);
    this.#tails.set(id, await this.#append(files, tail, steps, before));
  }

  /**
   * Adds a second name to the spec file that a change is going to replace, just before the commit. Returns a
   * function that removes this name again if the file was not replaced.
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
   * Records the texts that other programs wrote to files that changes had replaced, while the lock of the
   * spec is held. Each text becomes a revision before the current revision. Returns these revisions.
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
        // Both lines are written together. Without the second line, the current revision would look like a
        // change that was undone.
        await files.append(`${printLine(there, splices)}\n${printLine(back, toInverse(splices))}\n`);
        revisions.push(revision);
      }
      await replaced.settle(edit, revision);
    }
    return revisions;
  }

  /** Starts the history of a new spec. The lock of the spec must be held. */
  async start(id: string, origin: HistoryOrigin, file: string): Promise<void> {
    if (this.#keep === 0) return;
    const files = this.#filesOf(id);
    this.#tails.delete(id);
    const bases = await files.bases(true);
    await files.writeLog(`${printLine(origin, [])}\n`, file);
    await files.dropBases(bases, "");
  }

  /** Replaces the history of a spec with an imported history. The lock of the spec must be held. */
  async import(
    id: string,
    origin: HistoryOrigin,
    steps: readonly RevisionStep[],
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

  /**
   * Lists the revisions that can be restored; the newest revision comes first. The current revision is always
   * included.
   */
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
    // A revision that another program restored occurs twice in the chain.
    const seen = new Set<string>();
    return entries.filter((entry) => !seen.has(entry.revision) && seen.add(entry.revision));
  }

  /** Reads the exact text of a revision; undefined if the revision is not kept. */
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

  /**
   * Records an outside edit as a step. A new history is started if the old text is lost or the step is too
   * large.
   */
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
        return this.#append(
          files,
          tail,
          [{ step: { from: tip, to: from, at, ...outsideEdit }, splices }],
          before,
        );
    }
    const origin = { to: from, at, ...outsideEdit };
    return this.#restart(files, tail, [`${printLine(origin, [])}\n`], from, before);
  }

  /** True if the log continues after the current revision, with changes that were recorded but never committed. */
  async #isAbandoned(id: string, current: string): Promise<boolean> {
    const logged = await this.#readHistory(id);
    const last = logged.lines.at(-1)?.to;
    return last !== undefined && toChain(logged, last).revisions.includes(current);
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

  /** Makes the current text the base, and the given lines the content of the log. */
  async #restart(
    files: HistoryFiles,
    tail: LogTail,
    lines: readonly string[],
    from: string,
    before: SpecFileContent,
  ): Promise<LogTail> {
    // Old bases are removed last, so that the history is usable after a crash at any point.
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
    steps: readonly RevisionStep[],
    { file }: SpecFileContent,
  ): Promise<LogTail> {
    const text = steps.map(({ step, splices }) => `${printLine(step, splices)}\n`).join("");
    const lines = tail.isTorn ? `\n${text}` : text;
    const stat = tail.stat === undefined ? await files.writeLog(lines, file) : await files.append(lines);
    const { from, to } = steps.at(-1)?.step ?? tail.last ?? { to: "" };
    const count = tail.count + steps.length;
    return { bases: tail.bases, stat, last: { from, to }, count, isTorn: false };
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
    return { lines: log === undefined ? [] : this.#parse(id, log), bases: await files.bases() };
  }

  /** Parses a log. If the log continues the log that was parsed last, only its new lines are parsed. */
  #parse(id: string, log: Uint8Array): readonly LogLine[] {
    const known = this.#parsed;
    const isContinued =
      known?.id === id &&
      known.log.length <= log.length &&
      Buffer.compare(known.log, log.subarray(0, known.log.length)) === 0;
    const lines = isContinued ? [...known.lines, ...parseLog(log.subarray(known.log.length))] : parseLog(log);
    this.#parsed = isTorn(log) || log.length > maxParsedBytes ? undefined : { id, log, lines };
    return lines;
  }

  /** Restores the text of a revision from the bases; undefined if the bases are missing or damaged. */
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

/**
 * True if the log does not end at the current revision, probably because another program changed the file. The
 * last line of the log may also belong to an uncommitted change; such a line starts at the current revision.
 */
function isEditedOutside({ last, bases }: LogTail, current: string): boolean {
  if (last === undefined) return bases.length > 0 && !bases.includes(current);
  return last.to !== current && last.from !== current;
}

function sizeOf(splices: readonly Splice[]): number {
  return splices.reduce((sum, { removed, inserted }) => sum + removed.length + inserted.length, 0);
}

function toEntry({ to: revision, at, author, action, about, moved_from }: HistoryOrigin): HistoryEntry {
  return { revision, at, author, action, about, ...(moved_from === undefined ? {} : { moved_from }) };
}

function toOrigin(line: HistoryOrigin): HistoryOrigin {
  const { revision: to, ...made } = toEntry(line);
  return { to, ...made, ...(line.hash === undefined ? {} : { hash: line.hash }) };
}
