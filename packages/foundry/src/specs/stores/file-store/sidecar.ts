import { toFileError } from "../../../files/durable/file-error.ts";
import type { FileSystem } from "../../../files/durable/file-system.ts";
import type { Leases } from "../../model/lease.ts";
import type { IdempotencyKey } from "../spec-store.ts";
import { replayResponse, type StoredResponse, toResponseName } from "../stored-response.ts";
import type { PendingWrite } from "./plan-change.ts";
import { ResponseFiles } from "./response-files.ts";
import {
  isChangeAbandoned,
  type LoadedSpec,
  leasesOf,
  type SpecState,
  StateFiles,
  toFileVersion,
} from "./spec-state.ts";

/** The folder of answers of calls that add specs; no spec can be called so. */
const newSpecs = "+new";

/** A spec that a call adds. */
export interface CreatedSpec {
  readonly id: string;
  /** When it was made, as its file says. */
  readonly generated: unknown;
}

/**
 * What is kept beside specs: their state, and the answers of calls with a key. It is written before the spec; what
 * was written for a change that then was not made is told by the spec, and forgotten.
 */
export class Sidecar {
  readonly #sidecar: StateFiles;
  readonly #answers: ResponseFiles;
  /** The specs whose old answers were looked for. */
  readonly #tidied = new Set<string>();

  constructor(fs: FileSystem, folder: string) {
    this.#sidecar = new StateFiles(fs, folder);
    this.#answers = new ResponseFiles(fs, folder);
  }

  /** The state of a spec; undefined where there is none that can be read. */
  state(id: string): Promise<SpecState | undefined> {
    return this.#sidecar.read(id).catch(() => undefined);
  }

  /** The leases of a spec. */
  async leases(id: string): Promise<Leases> {
    return leasesOf(await this.#read(id));
  }

  /** The state to go on from: the answer of a change that was never made is forgotten. */
  async recover({ location, file, stat }: LoadedSpec): Promise<SpecState | undefined> {
    const state = await this.#read(location.id);
    if (state?.pending === undefined) return state;
    if (isChangeAbandoned(state, toFileVersion(location, file, stat)))
      await this.#answers.remove(location.id, state.pending.name);
    const { pending: _, ...settled } = state;
    return settled;
  }

  /** What a call with this key was answered before; undefined where it was not. */
  async replay<R>(id: string, key: IdempotencyKey | undefined, now: string) {
    if (key === undefined) return undefined;
    const kept = await this.#answers.read(id, toResponseName(key)).catch((err: unknown) => {
      throw toFileError(err, `look for the answer of a call for "${id}"`, `.foundry/answers/${id}`);
    });
    return replayResponse<R>(key, kept, now);
  }

  /** Keeps what changes nothing in the spec: leases, numbers that were given, the answer. */
  async writeState({ loaded: { location, snapshot }, state, response }: PendingWrite): Promise<void> {
    const { id } = location;
    if (response !== undefined) {
      const { counter, hash } = state;
      const before = (await this.#read(id)) ?? { counter, hash, marks: {} };
      const name = toResponseName(response);
      await this.#writeState(id, { ...before, pending: { name, by: "state" } }, true);
      await this.#writeAnswer(id, name, { ...response, revision: snapshot.revision });
    }
    await this.#writeState(id, state, true);
  }

  /** Keeps what goes with a change of the spec that is about to be made. */
  async prepare({ loaded: { location }, target, state, response }: PendingWrite): Promise<void> {
    const { id } = location;
    if (response === undefined) {
      const mustSurvive = state.leases?.length !== 0 || Object.keys(state.marks).length > 0;
      return this.#writeState(id, state, mustSurvive);
    }
    const name = toResponseName(response);
    const by = target === location ? "text" : target.folder;
    await this.#writeState(id, { ...state, pending: { name, by } }, true);
    await this.#writeAnswer(id, name, { ...response, revision: `${state.counter}-${state.hash}` });
  }

  /** The answers that are kept for a spec, by their names. */
  responses(id: string): Promise<ReadonlyMap<string, StoredResponse>> {
    return this.#answers.readAll(id).catch((err: unknown) => {
      throw toFileError(err, `read the answers of calls for "${id}"`, `.foundry/answers/${id}`);
    });
  }

  /** Keeps what another store kept of a spec. */
  async import(id: string, state: SpecState, answers: ReadonlyMap<string, StoredResponse>): Promise<void> {
    await this.#writeState(id, state, true);
    for (const [name, answer] of answers) await this.#writeAnswer(id, name, answer);
  }

  /** The id of the spec that a call with this key added; undefined where it added none, or another has its id. */
  async findCreated(
    key: IdempotencyKey,
    now: string,
    generatedOf: (id: string) => Promise<unknown>,
  ): Promise<string | undefined> {
    const answer = await this.replay<CreatedSpec>(newSpecs, key, now);
    if (answer === undefined) return undefined;
    const { id, generated } = answer.result;
    return (await generatedOf(id)) === generated ? id : undefined;
  }

  /** Keeps which spec a call with this key is about to add. */
  async prepareCreation(key: IdempotencyKey, created: CreatedSpec, at: string): Promise<void> {
    const answer = { fingerprint: key.fingerprint, at, revision: "", result: created, warnings: [] };
    await this.#writeAnswer(newSpecs, toResponseName(key), answer);
  }

  /** What cannot be read must not pass for a state without leases. */
  #read(id: string): Promise<SpecState | undefined> {
    return this.#sidecar.read(id).catch((err: unknown) => {
      throw toFileError(err, `read the state of "${id}"`, `.foundry/state/${id}.json`);
    });
  }

  async #writeState(id: string, state: SpecState, isDurable: boolean): Promise<void> {
    await this.#sidecar.write(id, state, isDurable).catch((err: unknown) => {
      throw toFileError(err, `keep the state of "${id}"`, `.foundry/state/${id}.json`);
    });
  }

  async #writeAnswer(
    id: string,
    name: string,
    { fingerprint, at, revision, result, warnings }: StoredResponse,
  ): Promise<void> {
    const answer = { fingerprint, at, revision, result, warnings };
    await this.#answers.write(id, name, answer).catch((err: unknown) => {
      throw toFileError(err, `keep the answer of a call for "${id}"`, `.foundry/answers/${id}`);
    });
    if (this.#tidied.has(id)) return;
    this.#tidied.add(id);
    // Once for each spec and process, and nobody waits for it.
    void this.#answers.removeExpired(id, at).catch(() => {});
  }
}
