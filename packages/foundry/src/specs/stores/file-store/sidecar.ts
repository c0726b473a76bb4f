import { isRecord } from "@foundry-mcp/contract";
import { type FileSystem, toFileError } from "@foundry-mcp/toolkit/files";
import type { Leases } from "../../model/lease.ts";
import type { IdempotencyKey } from "../spec-store.ts";
import { replayResponse, type StoredResponse, toResponseName } from "../stored-response.ts";
import type { PendingWrite } from "./plan-change.ts";
import { ResponseFiles } from "./response-files.ts";
import {
  type FileVersion,
  isAhead,
  isChangeAbandoned,
  type LoadedSpec,
  leasesOf,
  type SpecState,
  StateFiles,
  toFileVersion,
} from "./spec-state.ts";

/** The folder of responses to calls that create specs; no spec can have this id. */
const newSpecs = "+new";

/** A spec that a call created. */
export interface CreatedSpec {
  readonly id: string;
  /** The `generated` field of its file. */
  readonly generated: unknown;
}

/**
 * The data stored next to spec files: their state, and the responses to calls with an idempotency key. It is written
 * ahead of the spec, whose rename is the commit point: after a crash, the spec file shows whether the change was made,
 * and the response of an abandoned change is removed.
 */
export class Sidecar {
  readonly #states: StateFiles;
  readonly #responses: ResponseFiles;
  /** The specs whose expired responses were already removed by this process. */
  readonly #cleaned = new Set<string>();

  constructor(fs: FileSystem, folder: string) {
    this.#states = new StateFiles(fs, folder);
    this.#responses = new ResponseFiles(fs, folder);
  }

  /** The state of a spec; undefined if it is missing or unreadable. */
  state(id: string): Promise<SpecState | undefined> {
    return this.#states.read(id).catch(() => undefined);
  }

  /** The leases of a spec; undefined if they belong to a change that the given version of its file does not have yet. */
  async leases(id: string): Promise<Leases>;
  async leases(id: string, version: FileVersion): Promise<Leases | undefined>;
  async leases(id: string, version?: FileVersion): Promise<Leases | undefined> {
    const state = await this.#read(id);
    return version !== undefined && isAhead(state, version) ? undefined : leasesOf(state);
  }

  /** Reads the state under the lock, and removes the response of a change that was never committed. */
  async recover(loaded: LoadedSpec): Promise<SpecState | undefined> {
    const { id } = loaded.location;
    const state = await this.#read(id);
    if (state?.pending === undefined) return state;
    if (isChangeAbandoned(state, toFileVersion(loaded))) await this.#responses.remove(id, state.pending.name);
    const { pending: _, ...recovered } = state;
    return recovered;
  }

  /** The stored response to an earlier call with this key; undefined if there was none. */
  async replay<R>(id: string, key: IdempotencyKey | undefined, now: string) {
    if (key === undefined) return undefined;
    const stored = await this.#responses.read(id, toResponseName(key)).catch((err: unknown) => {
      throw toFileError(err, `look for the answer of a call for "${id}"`, `.foundry/answers/${id}`);
    });
    return replayResponse<R>(key, stored, now);
  }

  /** Commits a change that leaves the spec file as it is: leases, node numbers and the response. */
  async writeState({ loaded: { location, snapshot }, state, response }: PendingWrite): Promise<void> {
    const { id } = location;
    if (response !== undefined) {
      const { counter, hash } = state;
      const before = (await this.#read(id)) ?? { counter, hash, marks: {} };
      const name = toResponseName(response);
      await this.#writeState(id, { ...before, pending: { name, by: "state" } }, true);
      await this.#writeResponse(id, name, { ...response, revision: snapshot.revision });
    }
    await this.#writeState(id, state, true);
  }

  /** Writes the state and the response ahead of a change of the spec file. */
  async prepare({ loaded: { location }, target, state, response }: PendingWrite): Promise<void> {
    const { id } = location;
    if (response === undefined) {
      const isDurable = state.leases?.length !== 0 || Object.keys(state.marks).length > 0;
      return this.#writeState(id, state, isDurable);
    }
    const name = toResponseName(response);
    const by = target === location ? "text" : target.folder;
    await this.#writeState(id, { ...state, pending: { name, by } }, true);
    await this.#writeResponse(id, name, { ...response, revision: `${state.counter}-${state.hash}` });
  }

  /** Takes back what was written ahead of a change that was not committed. */
  async abandon({ loaded: { location }, stateBefore, response }: PendingWrite): Promise<void> {
    const { id } = location;
    // The response goes first: with the state gone, nothing would tell that its change was never made.
    if (response !== undefined) await this.#responses.remove(id, toResponseName(response));
    await (stateBefore === undefined ? this.#states.remove(id) : this.#states.write(id, stateBefore, true));
  }

  /** All stored responses of a spec, by name. */
  responses(id: string): Promise<ReadonlyMap<string, StoredResponse>> {
    return this.#responses.readAll(id).catch((err: unknown) => {
      throw toFileError(err, `read the answers of calls for "${id}"`, `.foundry/answers/${id}`);
    });
  }

  /** Writes the state and the responses of a spec that is imported. */
  async import(id: string, state: SpecState, responses: ReadonlyMap<string, StoredResponse>): Promise<void> {
    await this.#writeState(id, state, true);
    for (const [name, response] of responses) await this.#writeResponse(id, name, response);
  }

  /** The id of the spec that a call with this key created; undefined if it created none, or another spec has that id now. */
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

  /** Writes ahead which spec a call with this key is about to create. */
  async prepareCreation(key: IdempotencyKey, created: CreatedSpec, at: string): Promise<void> {
    const response = { fingerprint: key.fingerprint, at, revision: "", result: created, warnings: [] };
    await this.#writeResponse(newSpecs, toResponseName(key), response);
  }

  /** Fails on read errors: an unreadable state must not be taken for one without leases. */
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

  async #writeResponse(
    id: string,
    name: string,
    { fingerprint, at, revision, result, warnings }: StoredResponse,
  ): Promise<void> {
    const response = { fingerprint, at, revision, result, warnings };
    await this.#responses.write(id, name, response).catch((err: unknown) => {
      throw toFileError(err, `keep the answer of a call for "${id}"`, `.foundry/answers/${id}`);
    });
    if (this.#cleaned.has(id)) return;
    this.#cleaned.add(id);
    // Once per spec and process, in the background.
    void this.#responses.removeExpired(id, at).catch(() => {});
  }
}
