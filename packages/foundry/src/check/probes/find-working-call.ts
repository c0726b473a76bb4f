import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { missingArguments, unknownArguments } from "../arguments/argument-issues.ts";
import type { Parameter } from "../arguments/parameters.ts";
import { repairNested } from "../arguments/repair-nested.ts";
import { sampleValues } from "../arguments/sample-values.ts";
import { addStepTokens, varySteps } from "../arguments/steps.ts";
import { suggestionsOf } from "../arguments/suggested-words.ts";
import { isId, isToken } from "../arguments/token-links.ts";
import { isWaitParameter, shortestWait, waitsIn } from "../arguments/wait-parameters.ts";
import type { Operation } from "../observe/definition.ts";
import { type Observation, payloadOf } from "../observe/observation.ts";
import { compileSchema } from "../schemas/compile-schema.ts";
import { getOwn, toList } from "../schemas/json-schema.ts";
import { isEnding } from "./call-order.ts";
import { type Baseline, type ProbeDeps, without } from "./probe.ts";

/** Number of calls after which the search for working arguments stops. */
const maxTries = 12;

/** Maximum number of optional arguments to try if a call without them is refused. */
const maxOptional = 4;

/** The call that succeeded, or the last call that failed, with the reason why no call succeeded. */
export type WorkingCall =
  | { readonly baseline: Baseline }
  | {
      readonly reason: string;
      readonly last?: Observation | undefined;
      /** True if the requested object does not exist and the server's own list of such objects is empty. */
      readonly hasNoData?: boolean | undefined;
    };

/** A call from which a search begins, and the parameters of its operation. */
export interface StartingCall {
  readonly args: UnknownRecord;
  readonly parameters: readonly Parameter[];
}

/**
 * Searches for arguments with which an operation succeeds, as an agent would. The arguments come from the schema,
 * from values in other answers, and from the arguments that failures report as missing, unknown or suggested. If
 * `start` is given, that call is made first.
 */
export async function findWorkingCall(
  operation: Operation,
  deps: ProbeDeps,
  start?: StartingCall,
): Promise<WorkingCall> {
  const search = new ArgumentSearch(operation, deps, start);
  let last: Observation | undefined;
  for (let tries = 0; tries < maxTries; tries++) {
    if (!deps.session.isCallable(operation.tool))
      return { reason: deps.session.stopReason ?? "it left calls unanswered", last };
    const args = search.next();
    if (args === undefined) break;
    const observation = await deps.session.call(operation.tool, args);
    if (observation.outcome === "success") {
      deps.pool.learn(payloadOf(observation), Object.values(args));
      return { baseline: { operation, args, observation, requiredByServer: search.requiredByServer } };
    }
    if (observation.outcome === "pending") return { reason: pendingReason(observation), last: observation };
    last = observation;
    search.learn(observation);
  }
  return { reason: reasonOf(search, last), last, hasNoData: search.hasNoData };
}

function pendingReason({ result = {} }: Observation): string {
  return "task" in result || result["resultType"] === "task"
    ? "it answers with a task, not with an answer"
    : "it asks the client before it answers";
}

function reasonOf({ unfillable }: ArgumentSearch, last: Observation | undefined): string {
  if (unfillable !== undefined) return `no value is known for its argument ${unfillable}`;
  return `no generated arguments succeed${last === undefined ? "" : `: ${describeFailure(last)}`}`;
}

/** Describes why a call failed, using its message and its code. */
export function describeFailure({ envelope, reply, text }: Observation): string {
  const message =
    envelope?.error ??
    (reply.kind === "error" ? reply.message : reply.kind === "none" ? reply.failure.error : text);
  const code = envelope?.data["error_code"];
  const suffix = typeof code === "string" ? ` (${code})` : "";
  return `${(message ?? "it failed").slice(0, 200).toWellFormed()}${suffix}`;
}

/**
 * Returns true if a failure reports that this argument is wrong, either by the argument's name or by the id that was
 * not found.
 */
function isBlamed({ data }: { readonly data: UnknownRecord }, name: string, value: unknown): boolean {
  const details = getOwn(data, "details");
  if (getOwn(details, "field") === name || getOwn(details, "resource_id") === value) return true;
  return !isId(name) && (getOwn(details, name) === value || getOwn(details, "requested") === value);
}

/** Returns the arguments of the remedies that a failure suggests, if the remedies call the same operation. */
function remediesFor({ tool, action }: Operation, data: UnknownRecord): readonly UnknownRecord[] {
  return [getOwn(data, "remedy"), ...toList(getOwn(data, "other_remedies"))]
    .filter((remedy) => getOwn(remedy, "tool") === tool && getOwn(remedy, "action") === action)
    .map((remedy) => getOwn(remedy, "arguments"))
    .filter(isRecord);
}

const maxRemediation = 2_000;

/** Returns the words in a remediation that may name parameters to send: "pass force: true", "use force and give a reason". */
function wordsToSend(data: UnknownRecord): readonly string[] {
  const text = getOwn(data, "remediation");
  if (typeof text !== "string") return [];
  const named =
    /\b(\w{1,50})(?:: ?|=)true\b|\b(?:use|pass|set|give|add|send|with)\s+(?:an?\s+|the\s+)?["`]?(\w{1,50})/gi;
  return [...text.slice(0, maxRemediation).matchAll(named)].map(([, flag, word]) => flag ?? word ?? "");
}

/**
 * Types of failures that other arguments may avoid. A disabled feature, for example, stays disabled with any
 * arguments.
 */
const argumentErrors = new Set<unknown>(["validation", "not_found", "conflict", undefined]);

class ArgumentSearch {
  readonly requiredByServer: string[] = [];
  /** True once a call is refused because an object does not exist and a list of the server is empty. */
  hasNoData = false;
  /** A required parameter for which no value is known. */
  unfillable: string | undefined;
  readonly #operation: Operation;
  readonly #parameters: readonly Parameter[];
  readonly #deps: ProbeDeps;
  readonly #start: StartingCall | undefined;
  readonly #tried = new Set<string>();
  readonly #queue: UnknownRecord[] = [];
  #args: UnknownRecord;
  #hasTriedOptional = false;

  constructor(operation: Operation, deps: ProbeDeps, start?: StartingCall) {
    this.#operation = operation;
    this.#parameters = start?.parameters ?? operation.definition.parameters;
    this.#deps = deps;
    this.#start = start;
    if (start !== undefined) {
      this.#args = start.args;
      this.#enqueue(start.args);
      return;
    }
    this.#args = operation.action === undefined ? {} : { action: operation.action };
    const required = this.#parameters.filter(
      ({ name, isRequired }) => isRequired && (name !== "action" || operation.action === undefined),
    );
    for (const { name } of required) {
      // This condition is checked in the loop, because a schema may require thousands of arguments, and the check has
      // a deadline.
      if (!deps.session.isCallable(operation.tool)) return;
      this.#fill(name);
    }
    // The shortest waits are tried first. Without a wait argument, the server decides how long a call waits.
    this.#enqueue({ ...this.#args, ...this.#shortestWaits() });
    this.#enqueue(this.#args);
    // After the shortest waits, other values are tried, one argument at a time.
    for (const { name } of required) this.#vary(name);
  }

  next(): UnknownRecord | undefined {
    if (this.unfillable !== undefined) return undefined;
    const args = this.#queue.shift();
    if (args !== undefined) this.#args = args;
    return args;
  }

  /** Adds candidates that are based on the suggestions in a failure. */
  learn({ envelope, args }: Observation): void {
    if (envelope === undefined || envelope.success) return;
    const asked = Object.keys(args).filter((name) => name !== "action");
    if (envelope.data["error_type"] === "not_found")
      this.hasNoData =
        asked.some((name) => this.#deps.pool.lacks(name)) &&
        !asked.some((name) => this.#deps.pool.knows(name));
    if (this.#start !== undefined && !argumentErrors.has(envelope.data["error_type"])) {
      this.#queue.length = 0;
      return;
    }
    const names = this.#parameters.map(({ name }) => name);
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
    const words = suggestionsOf(envelope, { quotes: this.#start === undefined });
    const texts = Object.keys(this.#args).filter(
      (name) => name !== "action" && typeof this.#args[name] === "string",
    );
    const blamed = texts.filter((name) => isBlamed(envelope, name, this.#args[name]));
    const better = (blamed.length > 0 || this.#start !== undefined ? blamed : texts).flatMap((name) =>
      this.#candidates(name, words)
        .filter((value) => words.includes(value as string))
        .map((value) => ({ ...this.#args, [name]: value })),
    );
    const remedied = [...remediesFor(this.#operation, envelope.data), ...this.#named(envelope.data)].map(
      (args) => ({ ...this.#args, ...args }),
    );
    const repaired = repairNested(this.#args, envelope, this.#deps.pool).filter((args) => this.#admits(args));
    // Suggestions of the server take precedence over the guesses of the checker.
    const held = envelope.data["error_type"] === "conflict" ? this.#withTokens(names) : [];
    for (const args of [...held, ...remedied, ...repaired, ...better].toReversed()) this.#enqueue(args, true);
    if (this.#start !== undefined && this.#queue.length === 0) this.#varyStart(this.#start);
    if (this.#queue.length === 0 && envelope.data["error_type"] === "validation") this.#tryOptional();
  }

  /** Returns the parameters that a remediation names and that the call lacks, with values. Flags are set to true. */
  #named(data: UnknownRecord): readonly UnknownRecord[] {
    const words = wordsToSend(data);
    const named = this.#parameters.filter(({ name }) => words.includes(name) && !(name in this.#args));
    const values = named.map(({ name, schema }) => {
      const isFlag = getOwn(schema, "type") === "boolean";
      return [name, isFlag ? true : this.#candidates(name)[0]] as const;
    });
    const known = values.filter(([, value]) => value !== undefined);
    return known.length === 0 ? [] : [Object.fromEntries(known)];
  }

  /**
   * Adds a token that an earlier answer contained together with the ids of the call, because only the holder of a
   * claim may change the object.
   */
  #withTokens(names: readonly string[]): readonly UnknownRecord[] {
    const { pool } = this.#deps;
    const own = names.filter(isToken).flatMap((name) => {
      const token = pool.tokenFor(name, this.#args);
      return token === undefined || this.#args[name] === token ? [] : [{ ...this.#args, [name]: token }];
    });
    return [...own, ...addStepTokens(this.#args, pool).filter((args) => this.#admits(args))];
  }

  /**
   * Tries other values for the call from which the search began. The last id is varied, because the last id is the
   * most specific.
   */
  #varyStart({ args, parameters }: StartingCall): void {
    const own = parameters.filter(({ name }) => name !== "action" && name in args).toReversed();
    for (const varied of varySteps(args, this.#deps.pool)) if (this.#admits(varied)) this.#enqueue(varied);
    // An operation that ends an object is not tried with other ids, because it could remove objects that the check
    // did not create.
    const ids = isEnding(this.#operation) ? [] : own.filter(({ name }) => isId(name));
    for (const { name } of [...ids, ...own.filter(({ name: each }) => !isId(each))])
      for (const value of this.#candidates(name)) this.#enqueue({ ...args, [name]: value });
  }

  /** Tries each optional argument alone, because some tools need one of several optional arguments. */
  #tryOptional(): void {
    if (this.#hasTriedOptional) return;
    this.#hasTriedOptional = true;
    const optional = this.#parameters.filter(
      ({ name, isRequired }) => !isRequired && name !== "action" && !(name in this.#args),
    );
    for (const { name } of optional.slice(0, maxOptional)) {
      const [value] = this.#candidates(name);
      if (value !== undefined) this.#enqueue({ ...this.#args, [name]: value });
    }
  }

  /** Returns the optional arguments that set how long the operation waits, each with its shortest value. */
  #shortestWaits(): UnknownRecord {
    const { action } = this.#operation;
    const waits = this.#parameters.filter(
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
    // Candidates beyond the maximum number of tries would never be used.
    if (this.#queue.length >= maxTries) return;
    for (const value of this.#candidates(name).slice(1)) this.#enqueue({ ...this.#args, [name]: value });
  }

  #candidates(name: string, words: readonly string[] = []): readonly unknown[] {
    const parameter = this.#parameters.find((each) => each.name === name);
    if (parameter === undefined) return [];
    const given = this.#deps.pool.given(name);
    return sampleValues(parameter.schema, {
      words,
      given: isWaitParameter(parameter) ? [...given, shortestWait(parameter)] : given,
      pool: this.#deps.pool.candidates(name),
    });
  }

  /** Returns true if the schemas of the parameters admit the arguments. */
  #admits(args: UnknownRecord): boolean {
    return this.#parameters.every(({ name, schema }) => {
      const compiled = compileSchema(schema);
      return !(name in args) || !compiled.ok || compiled.check(args[name]).length === 0;
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
