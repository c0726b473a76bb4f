import type { UnknownRecord } from "@foundry-mcp/contract";
import { missingFields, unknownFields } from "../arguments/argument-issues.ts";
import { sampleValues } from "../arguments/sample-values.ts";
import { remedyWords } from "../arguments/suggested-words.ts";
import type { Subject } from "../observe/definition.ts";
import { type Observation, payloadOf } from "../observe/observation.ts";
import { type Base, type Probing, without } from "./probe.ts";

/** A subject that has not succeeded after so many calls is given up. */
const mostTries = 12;

/** So many optional arguments are tried where a call without any of them is refused. */
const mostOptional = 4;

/** What came of looking for arguments that succeed. */
export type Exploration = { readonly base: Base } | { readonly reason: string };

/**
 * Looks for arguments with which a subject succeeds, as an agent would: by its schema, by values seen in
 * other answers, and by what its failures say is missing, unknown or better.
 */
export async function explore(subject: Subject, probing: Probing): Promise<Exploration> {
  const search = new Search(subject, probing);
  let last: Observation | undefined;
  for (let tries = 0; tries < mostTries; tries++) {
    if (!probing.session.answers(subject.tool))
      return { reason: probing.session.exhausted ?? "it left calls unanswered" };
    const args = search.next();
    if (args === undefined) break;
    const observation = await probing.session.call(subject.tool, args);
    if (observation.outcome === "success") {
      probing.pool.learn(payloadOf(observation));
      return { base: { subject, args, observation, learned: search.learned } };
    }
    if (observation.outcome === "pending") return { reason: pendingReason(observation) };
    last = observation;
    search.learn(observation);
  }
  return { reason: reasonOf(search, last) };
}

function pendingReason({ result = {} }: Observation): string {
  return "task" in result || result["resultType"] === "task"
    ? "it answers with a task, not with an answer"
    : "it asks the client before it answers";
}

function reasonOf({ impossible }: Search, last: Observation | undefined): string {
  if (impossible !== undefined) return `no value is known for its argument ${impossible}`;
  const code = last?.envelope?.data["error_code"];
  const told = typeof code === "string" ? ` (${code})` : "";
  return `no generated arguments succeed${last === undefined ? "" : `: ${errorOf(last)}${told}`}`;
}

function errorOf({ envelope, reply, text }: Observation): string {
  const message =
    envelope?.error ??
    (reply.kind === "error" ? reply.message : reply.kind === "none" ? reply.failure.error : text);
  return (message ?? "it failed").slice(0, 200).toWellFormed();
}

class Search {
  readonly learned: string[] = [];
  /** A parameter that nothing fits. */
  impossible: string | undefined;
  readonly #subject: Subject;
  readonly #probing: Probing;
  readonly #tried = new Set<string>();
  readonly #queue: UnknownRecord[] = [];
  #args: UnknownRecord;
  #isWidened = false;

  constructor(subject: Subject, probing: Probing) {
    this.#subject = subject;
    this.#probing = probing;
    this.#args = subject.action === undefined ? {} : { action: subject.action };
    const required = subject.definition.parameters.filter(
      ({ name, isRequired }) => isRequired && (name !== "action" || subject.action === undefined),
    );
    for (const { name } of required) {
      // A server may require thousands: the time is for all of it.
      if (!probing.session.answers(subject.tool)) return;
      this.#fill(name);
    }
    this.#enqueue(this.#args);
    // What else each could be, one at a time.
    for (const { name } of required) this.#vary(name);
  }

  next(): UnknownRecord | undefined {
    if (this.impossible !== undefined) return undefined;
    const args = this.#queue.shift();
    if (args !== undefined) this.#args = args;
    return args;
  }

  /** Makes further candidates of what a failure says. */
  learn({ envelope }: Observation): void {
    if (envelope === undefined || envelope.success) return;
    const names = this.#subject.definition.parameters.map(({ name }) => name);
    const missing = missingFields(envelope, names).filter((name) => !(name in this.#args));
    const surplus = unknownFields(envelope, names).filter((name) => name in this.#args && name !== "action");
    if (missing.length > 0 || surplus.length > 0) {
      for (const name of surplus) this.#args = without(this.#args, name);
      for (const name of missing) {
        this.learned.push(name);
        this.#fill(name);
      }
      this.#queue.length = 0;
      this.#enqueue(this.#args);
      for (const name of missing) this.#vary(name);
      return;
    }
    const words = remedyWords(envelope);
    const texts = Object.keys(this.#args).filter(
      (name) => name !== "action" && typeof this.#args[name] === "string",
    );
    const better = texts.flatMap((name) =>
      this.#candidates(name, words)
        .filter((value) => words.includes(value as string))
        .map((value) => ({ ...this.#args, [name]: value })),
    );
    // What the server itself suggests goes before what was only guessed.
    for (const args of better.toReversed()) this.#enqueue(args, true);
    if (this.#queue.length === 0 && envelope.data["error_type"] === "validation") this.#widen();
  }

  /** Some need one of several arguments, and require none of them: each is tried by itself, once. */
  #widen(): void {
    if (this.#isWidened) return;
    this.#isWidened = true;
    const optional = this.#subject.definition.parameters.filter(
      ({ name, isRequired }) => !isRequired && name !== "action" && !(name in this.#args),
    );
    for (const { name } of optional.slice(0, mostOptional)) {
      const [value] = this.#candidates(name);
      if (value !== undefined) this.#enqueue({ ...this.#args, [name]: value });
    }
  }

  #fill(name: string): void {
    const [value] = this.#candidates(name);
    if (value === undefined) this.impossible ??= name;
    else this.#args = { ...this.#args, [name]: value };
  }

  #vary(name: string): void {
    // What comes behind those is not tried any more.
    if (this.#queue.length >= mostTries) return;
    for (const value of this.#candidates(name).slice(1)) this.#enqueue({ ...this.#args, [name]: value });
  }

  #candidates(name: string, words: readonly string[] = []): readonly unknown[] {
    const schema = this.#subject.definition.parameters.find((parameter) => parameter.name === name)?.schema;
    if (schema === undefined) return [];
    return sampleValues(schema, {
      words,
      given: this.#probing.pool.given(name),
      pool: this.#probing.pool.candidates(name),
    });
  }

  #enqueue(args: UnknownRecord, first = false): void {
    const key = JSON.stringify(args);
    if (this.#tried.has(key)) return;
    this.#tried.add(key);
    if (first) this.#queue.unshift(args);
    else this.#queue.push(args);
  }
}
