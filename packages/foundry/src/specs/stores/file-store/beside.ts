import { toFileError } from "../../../files/durable/file-error.ts";
import type { FileSystem } from "../../../files/durable/file-system.ts";
import type { Leases } from "../../model/lease.ts";
import { answerAgain, type KeptAnswer, toAnswerName } from "../kept-answer.ts";
import type { CallKey } from "../spec-store.ts";
import { KeptAnswers } from "./kept-answers.ts";
import type { Loaded } from "./loaded.ts";
import type { Step } from "./planned.ts";
import { isVoid, leasesOf, Sidecar, type SpecState, toStanding } from "./sidecar.ts";

/** The folder of answers of calls that add specs; no spec can be called so. */
const newSpecs = "+new";

/** A spec that a call adds. */
export interface Created {
  readonly id: string;
  /** When it was made, as its file says. */
  readonly generated: unknown;
}

/**
 * What is kept beside specs: their state, and the answers of calls with a key. It is written before the spec; what
 * was written for a change that then was not made is told by the spec, and forgotten.
 */
export class Beside {
  readonly #sidecar: Sidecar;
  readonly #answers: KeptAnswers;
  /** The specs whose old answers were looked for. */
  readonly #tidied = new Set<string>();

  constructor(fs: FileSystem, folder: string) {
    this.#sidecar = new Sidecar(fs, folder);
    this.#answers = new KeptAnswers(fs, folder);
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
  async settle({ place, file, stat }: Loaded): Promise<SpecState | undefined> {
    const state = await this.#read(place.id);
    if (state?.pending === undefined) return state;
    if (isVoid(state, toStanding(place, file, stat)))
      await this.#answers.remove(place.id, state.pending.name);
    const { pending: _, ...settled } = state;
    return settled;
  }

  /** What a call with this key was answered before; undefined where it was not. */
  async answerAgain<R>(id: string, key: CallKey | undefined, now: string) {
    if (key === undefined) return undefined;
    const kept = await this.#answers.read(id, toAnswerName(key)).catch((err: unknown) => {
      throw toFileError(err, `look for the answer of a call for "${id}"`, `.foundry/answers/${id}`);
    });
    return answerAgain<R>(key, kept, now);
  }

  /** Keeps what changes nothing in the spec: leases, numbers that were given, the answer. */
  async keep({ loaded: { place, snapshot }, state, answer }: Step): Promise<void> {
    const { id } = place;
    if (answer !== undefined) {
      const { counter, hash } = state;
      const before = (await this.#read(id)) ?? { counter, hash, marks: {} };
      const name = toAnswerName(answer);
      await this.#writeState(id, { ...before, pending: { name, by: "state" } }, true);
      await this.#writeAnswer(id, name, { ...answer, revision: snapshot.revision });
    }
    await this.#writeState(id, state, true);
  }

  /** Keeps what goes with a change of the spec that is about to be made. */
  async prepare({ loaded: { place }, target, state, answer }: Step): Promise<void> {
    const { id } = place;
    if (answer === undefined) {
      const mustSurvive = state.leases?.length !== 0 || Object.keys(state.marks).length > 0;
      return this.#writeState(id, state, mustSurvive);
    }
    const name = toAnswerName(answer);
    const by = target === place ? "text" : target.folder;
    await this.#writeState(id, { ...state, pending: { name, by } }, true);
    await this.#writeAnswer(id, name, { ...answer, revision: `${state.counter}-${state.hash}` });
  }

  /** The answers that are kept for a spec, by their names. */
  answers(id: string): Promise<ReadonlyMap<string, KeptAnswer>> {
    return this.#answers.readAll(id).catch((err: unknown) => {
      throw toFileError(err, `read the answers of calls for "${id}"`, `.foundry/answers/${id}`);
    });
  }

  /** Keeps what another store kept of a spec. */
  async adopt(id: string, state: SpecState, answers: ReadonlyMap<string, KeptAnswer>): Promise<void> {
    await this.#writeState(id, state, true);
    for (const [name, answer] of answers) await this.#writeAnswer(id, name, answer);
  }

  /** The id of the spec that a call with this key added; undefined where it added none, or another has its id. */
  async createdBefore(
    key: CallKey,
    now: string,
    generatedOf: (id: string) => Promise<unknown>,
  ): Promise<string | undefined> {
    const answer = await this.answerAgain<Created>(newSpecs, key, now);
    if (answer === undefined) return undefined;
    const { id, generated } = answer.result;
    return (await generatedOf(id)) === generated ? id : undefined;
  }

  /** Keeps which spec a call with this key is about to add. */
  async prepareCreation(key: CallKey, created: Created, at: string): Promise<void> {
    const answer = { fingerprint: key.fingerprint, at, revision: "", result: created, warnings: [] };
    await this.#writeAnswer(newSpecs, toAnswerName(key), answer);
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
    { fingerprint, at, revision, result, warnings }: KeptAnswer,
  ): Promise<void> {
    const answer = { fingerprint, at, revision, result, warnings };
    await this.#answers.write(id, name, answer).catch((err: unknown) => {
      throw toFileError(err, `keep the answer of a call for "${id}"`, `.foundry/answers/${id}`);
    });
    if (this.#tidied.has(id)) return;
    this.#tidied.add(id);
    // Once for each spec and process, and nobody waits for it.
    void this.#answers.tidy(id, at).catch(() => {});
  }
}
