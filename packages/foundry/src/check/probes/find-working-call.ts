import type { UnknownRecord } from "@foundry-mcp/contract";
import { missingArguments, unknownArguments } from "../arguments/argument-issues.ts";
import { sampleValues } from "../arguments/sample-values.ts";
import { suggestionsOf } from "../arguments/suggested-words.ts";
import { isWaitParameter, shortestWait, waitsIn } from "../arguments/wait-parameters.ts";
import type { Operation } from "../observe/definition.ts";
import { type Observation, payloadOf } from "../observe/observation.ts";
import { getOwn } from "../schemas/json-schema.ts";
import { type Baseline, type ProbeDeps, without } from "./probe.ts";

/** The search for working arguments stops after so many calls. */
const maxTries = 12;

/** So many optional arguments are tried if a call without them is refused. */
const maxOptional = 4;

/** The call that succeeded, or the reason why none did. */
export type WorkingCall = { readonly baseline: Baseline } | { readonly reason: string };

/**
 * Searches arguments with which an operation succeeds, as an agent would: from its schema, from values in other
 * answers, and from what its failures call missing, unknown or suggest.
 */
export async function findWorkingCall(operation: Operation, deps: ProbeDeps): Promise<WorkingCall> {
  const search = new ArgumentSearch(operation, deps);
  let last: Observation | undefined;
  for (let tries = 0; tries < maxTries; tries++) {
    if (!deps.session.isCallable(operation.tool))
      return { reason: deps.session.stopReason ?? "it left calls unanswered" };
    const args = search.next();
    if (args === undefined) break;
    const observation = await deps.session.call(operation.tool, args);
    if (observation.outcome === "success") {
      deps.pool.learn(payloadOf(observation));
      return { baseline: { operation, args, observation, requiredByServer: search.requiredByServer } };
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

function reasonOf({ unfillable }: ArgumentSearch, last: Observation | undefined): string {
  if (unfillable !== undefined) return `no value is known for its argument ${unfillable}`;
  const code = last?.envelope?.data["error_code"];
  const suffix = typeof code === "string" ? ` (${code})` : "";
  return `no generated arguments succeed${last === undefined ? "" : `: ${errorOf(last)}${suffix}`}`;
}

function errorOf({ envelope, reply, text }: Observation): string {
  const message =
    envelope?.error ??
    (reply.kind === "error" ? reply.message : reply.kind === "none" ? reply.failure.error : text);
  return (message ?? "it failed").slice(0, 200).toWellFormed();
}

/** Returns true if a failure says that this argument is wrong: by its name, or by the id that was not found. */
function isBlamed({ data }: { readonly data: UnknownRecord }, name: string, value: unknown): boolean {
  const details = getOwn(data, "details");
  return getOwn(details, "field") === name || getOwn(details, "resource_id") === value;
}

class ArgumentSearch {
  readonly requiredByServer: string[] = [];
  /** A required parameter for which no value is known. */
  unfillable: string | undefined;
  readonly #operation: Operation;
  readonly #deps: ProbeDeps;
  readonly #tried = new Set<string>();
  readonly #queue: UnknownRecord[] = [];
  #args: UnknownRecord;
  #hasTriedOptional = false;

  constructor(operation: Operation, deps: ProbeDeps) {
    this.#operation = operation;
    this.#deps = deps;
    this.#args = operation.action === undefined ? {} : { action: operation.action };
    const required = operation.definition.parameters.filter(
      ({ name, isRequired }) => isRequired && (name !== "action" || operation.action === undefined),
    );
    for (const { name } of required) {
      // A schema may require thousands of arguments, and the check has a deadline.
      if (!deps.session.isCallable(operation.tool)) return;
      this.#fill(name);
    }
    // First with the shortest waits: without them a call may take as long as the server likes to wait.
    this.#enqueue({ ...this.#args, ...this.#shortestWaits() });
    this.#enqueue(this.#args);
    // Then the other values, one argument at a time.
    for (const { name } of required) this.#vary(name);
  }

  next(): UnknownRecord | undefined {
    if (this.unfillable !== undefined) return undefined;
    const args = this.#queue.shift();
    if (args !== undefined) this.#args = args;
    return args;
  }

  /** Adds candidates that a failure suggests. */
  learn({ envelope }: Observation): void {
    if (envelope === undefined || envelope.success) return;
    const names = this.#operation.definition.parameters.map(({ name }) => name);
    const missing = missingArguments(envelope, names).filter((name) => !(name in this.#args));
    const surplus = unknownArguments(envelope, names).filter(
      (name) => name in this.#args && name !== "action",
    );
    if (missing.length > 0 || surplus.length > 0) {
      for (const name of surplus) this.#args = without(this.#args, name);
      for (const name of missing) {
        this.requiredByServer.push(name);
        this.#fill(name);
      }
      this.#queue.length = 0;
      this.#enqueue(this.#args);
      for (const name of missing) this.#vary(name);
      return;
    }
    const words = suggestionsOf(envelope);
    const texts = Object.keys(this.#args).filter(
      (name) => name !== "action" && typeof this.#args[name] === "string",
    );
    const blamed = texts.filter((name) => isBlamed(envelope, name, this.#args[name]));
    const better = (blamed.length > 0 ? blamed : texts).flatMap((name) =>
      this.#candidates(name, words)
        .filter((value) => words.includes(value as string))
        .map((value) => ({ ...this.#args, [name]: value })),
    );
    // Suggestions of the server come before our own guesses.
    for (const args of better.toReversed()) this.#enqueue(args, true);
    if (this.#queue.length === 0 && envelope.data["error_type"] === "validation") this.#tryOptional();
  }

  /** Tries each optional argument by itself: some tools need one of several that are all optional. */
  #tryOptional(): void {
    if (this.#hasTriedOptional) return;
    this.#hasTriedOptional = true;
    const optional = this.#operation.definition.parameters.filter(
      ({ name, isRequired }) => !isRequired && name !== "action" && !(name in this.#args),
    );
    for (const { name } of optional.slice(0, maxOptional)) {
      const [value] = this.#candidates(name);
      if (value !== undefined) this.#enqueue({ ...this.#args, [name]: value });
    }
  }

  /** Returns the optional arguments that say how long the operation waits, each with its shortest value. */
  #shortestWaits(): UnknownRecord {
    const { definition, action } = this.#operation;
    const waits = definition.parameters.filter(
      (parameter) => !parameter.isRequired && isWaitParameter(parameter) && waitsIn(action, parameter),
    );
    const values = waits.map(({ name }) => [name, this.#candidates(name)[0]] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }

  #fill(name: string): void {
    const [value] = this.#candidates(name);
    if (value === undefined) this.unfillable ??= name;
    else this.#args = { ...this.#args, [name]: value };
  }

  #vary(name: string): void {
    // Candidates behind the maximum number of tries would never be used.
    if (this.#queue.length >= maxTries) return;
    for (const value of this.#candidates(name).slice(1)) this.#enqueue({ ...this.#args, [name]: value });
  }

  #candidates(name: string, words: readonly string[] = []): readonly unknown[] {
    const parameter = this.#operation.definition.parameters.find((each) => each.name === name);
    if (parameter === undefined) return [];
    const given = this.#deps.pool.given(name);
    return sampleValues(parameter.schema, {
      words,
      given: isWaitParameter(parameter) ? [...given, shortestWait(parameter)] : given,
      pool: this.#deps.pool.candidates(name),
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
