import { isRecord } from "@foundry-mcp/contract";
import { type FileSystem, toFileError } from "@foundry-mcp/toolkit/files";
import type { Leases } from "../../model/lease.ts";
import type { IdempotencyKey } from "../spec-store.ts";
import { replayResponse, type StoredResponse, toResponseName } from "../stored-response.ts";
import type { ChangeSequence } from "./change-sequence.ts";
import { ResponseFiles } from "./response-files.ts";
import { shelfOf } from "./spec-locations.ts";
import {
  type FileVersion,
  isChangeAbandoned,
  type LoadedSpec,
  leasesOf,
  type SpecState,
  StateFiles,
  stateAt,
  toFileVersion,
} from "./spec-state.ts";

/** The folder of the responses to calls that create specs. No spec can have this id. */
const newSpecs = "+new";

/** A spec that a call created. */
export interface CreatedSpec {
  readonly id: string;
  /** The value of the field `generated` in the file of the spec. */
  readonly generated: unknown;
}

/**
 * The data stored next to spec files: their state, and the responses to calls with an idempotency key. This
 * data is written before the spec file, whose rename is the commit point. After a crash, the spec file shows
 * whether the change was made, and the response of an abandoned change is removed.
 */
export class Sidecar {
  readonly #states: StateFiles;
  readonly #responses: ResponseFiles;
  /** The ids of the specs whose expired responses this process has already removed. */
  readonly #cleaned = new Set<string>();

  constructor(fs: FileSystem, folder: string) {
    this.#states = new StateFiles(fs, folder);
    this.#responses = new ResponseFiles(fs, folder);
  }

  /** Returns the state of a spec; undefined if the state is missing or unreadable. */
  state(id: string): Promise<SpecState | undefined> {
    return this.#states.read(id).catch(() => undefined);
  }

  /** Returns the leases of a spec at a version of its file. */
  async leases(id: string, version: FileVersion): Promise<Leases> {
    return leasesOf(stateAt(await this.#read(id), version));
  }

  /**
   * Reads the state while the lock is held, and removes the responses of changes that were never committed.
   */
  async recover(loaded: LoadedSpec): Promise<SpecState | undefined> {
    const { id } = loaded.location;
    const version = toFileVersion(loaded);
    const state = await this.#read(id);
    if (state?.pending === undefined) return stateAt(state, version);
    if (isChangeAbandoned(state, version))
      for (const name of state.pending.names) await this.#responses.remove(id, name);
    const { pending: _, ...recovered } = state;
    return stateAt(recovered, version);
  }

  /** Returns the stored response to an earlier call with this key; undefined if there is none. */
  async replay<R>(id: string, key: IdempotencyKey | undefined, now: string) {
    if (key === undefined) return undefined;
    const stored = await this.#responses.read(id, toResponseName(key)).catch((err: unknown) => {
      throw toFileError(err, `look for the answer of a call for "${id}"`, `.foundry/answers/${id}`);
    });
    return replayResponse<R>(key, stored, now);
  }

  /**
   * Commits changes that do not change the spec file, such as changes of leases, node numbers or responses.
   */
  async writeState(changes: ChangeSequence): Promise<void> {
    const { id } = changes.before.location;
    const state = changes.toState();
    if (changes.responses.size > 0) {
      const { counter, hash } = state;
      const before = (await this.#read(id)) ?? { counter, hash, marks: {} };
      const pending = { names: [...changes.responses.keys()], by: "state" } as const;
      await this.#writeState(id, { ...before, pending }, true);
      await this.#writeResponses(id, changes.responses);
    }
    await this.#writeState(id, state, true);
  }

  /** Writes the state and the responses before the spec file is changed. */
  async prepare(changes: ChangeSequence): Promise<void> {
    const { before, after, responses } = changes;
    const { id } = before.location;
    const state = changes.toState();
    if (responses.size === 0) {
      const isDurable = state.leases?.length !== 0 || Object.keys(state.marks).length > 0;
      return this.#writeState(id, state, isDurable);
    }
    const by = after.location === before.location ? "text" : shelfOf(after.location);
    await this.#writeState(id, { ...state, pending: { names: [...responses.keys()], by } }, true);
    await this.#writeResponses(id, responses);
  }

  /** Reverts the data that was written before changes that were not committed. */
  async abandon({ before: { location }, stateBefore, responses }: ChangeSequence): Promise<void> {
    const { id } = location;
    // The responses are removed first. Without the state, there would be no sign that the changes of the
    // responses were never made.
    for (const name of responses.keys()) await this.#responses.remove(id, name);
    await (stateBefore === undefined ? this.#states.remove(id) : this.#states.write(id, stateBefore, true));
  }

  /** Returns all stored responses of a spec, by name. */
  responses(id: string): Promise<ReadonlyMap<string, StoredResponse>> {
    return this.#responses.readAll(id).catch((err: unknown) => {
      throw toFileError(err, `read the answers of calls for "${id}"`, `.foundry/answers/${id}`);
    });
  }

  /** Writes the state and the responses of a spec that is imported. */
  async import(id: string, state: SpecState, responses: ReadonlyMap<string, StoredResponse>): Promise<void> {
    await this.#writeState(id, state, true);
    await this.#writeResponses(id, responses);
  }

  /**
   * Returns the id of the spec that a call with this key created. Returns undefined if the call did not
   * create a spec, or if another spec has that id now.
   */
  async findCreated(
    key: IdempotencyKey,
    now: string,
    generatedOf: (id: string) => Promise<unknown>,
  ): Promise<string | undefined> {
    const response = await this.replay<unknown>(newSpecs, key, now);
    if (response === undefined) return undefined;
    const { id, generated } = isRecord(response.result) ? response.result : {};
    return typeof id === "string" && (await generatedOf(id)) === generated ? id : undefined;
  }

  /** Records the spec that a call with this key is going to create. The record is written before the spec. */
  async prepareCreation(key: IdempotencyKey, created: CreatedSpec, at: string): Promise<void> {
    const response = { fingerprint: key.fingerprint, at, revision: "", result: created, warnings: [] };
    await this.#writeResponses(newSpecs, new Map([[toResponseName(key), response]]));
  }

  /**
   * Reads the state. Fails on read errors, because an unreadable state must not be mistaken for a state
   * without leases.
   */
  #read(id: string): Promise<SpecState | undefined> {
    return this.#states.read(id).catch((err: unknown) => {
      throw toFileError(err, `read the state of "${id}"`, `.foundry/state/${id}.json`);
    });
  }

  async #writeState(id: string, state: SpecState, isDurable: boolean): Promise<void> {
    await this.#states.write(id, state, isDurable).catch((err: unknown) => {
      throw toFileError(err, `keep the state of "${id}"`, `.foundry/state/${id}.json`);
    });
  }

  async #writeResponses(id: string, responses: ReadonlyMap<string, StoredResponse>): Promise<void> {
    await this.#responses.write(id, responses).catch((err: unknown) => {
      throw toFileError(err, `keep the answer of a call for "${id}"`, `.foundry/answers/${id}`);
    });
    const [newest] = responses.values();
    if (newest === undefined || this.#cleaned.has(id)) return;
    this.#cleaned.add(id);
    // Expired responses are removed in the background, once per spec and process.
    void this.#responses.removeExpired(id, newest.at).catch(() => {});
  }
}
