import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import type { CompatibleParameter } from "@foundry-mcp/toolkit";
import { ownClaim } from "../../specs/tools/task/own-claims.ts";

/** A parameter that requests what this server always does. Any value is accepted. */
export const always: CompatibleParameter = () => ({});

const limits = new WeakMap<Exclude<CompatibleParameter, string>, string>();

/** Records the accepted values of a parameter, for the guide. */
export function limited(
  limit: string,
  parameter: Exclude<CompatibleParameter, string>,
): Exclude<CompatibleParameter, string> {
  limits.set(parameter, limit);
  return parameter;
}

/** Returns the accepted values of a parameter, or undefined if every value is accepted. */
export function limitOf(parameter: CompatibleParameter): string | undefined {
  return typeof parameter === "string" ? undefined : limits.get(parameter);
}

/** A parameter that has no effect. The table entry of the call warns of it. */
export const ignored: CompatibleParameter = limited("ignored, with a warning", () => ({}));

const tolerable = new WeakMap<object, CompatibleParameter>();

/**
 * A parameter that is refused under some or all values. With `--tools reference`, the parameter is ignored instead, and
 * the table entry of the call warns of it, because the clients of such a server cannot leave it out.
 */
export function toleratedWhenListed(parameter: Exclude<CompatibleParameter, string>): CompatibleParameter {
  const limit = limits.get(parameter) ?? "refused";
  const own: CompatibleParameter = limited(
    `${limit}; with \`--tools reference\` ignored, with a warning`,
    (value, given) => parameter(value, given),
  );
  tolerable.set(own, ignored);
  return own;
}

/** Returns the parameter as a server with `--tools reference` takes it. */
export function asListed(parameter: CompatibleParameter): CompatibleParameter {
  return typeof parameter === "string" ? parameter : (tolerable.get(parameter) ?? parameter);
}

/** A parameter that is always refused, with the given reason. */
export const refused = (reason: string): Exclude<CompatibleParameter, string> =>
  limited("refused", () => reason);

/** A parameter that is accepted only with the value that describes what this server does. */
export const only = (accepted: unknown, reason: string): Exclude<CompatibleParameter, string> =>
  limited(`only ${JSON.stringify(accepted)}`, (value) => (value === accepted ? {} : reason));

/** A parameter of which one value has a special meaning. */
export const either =
  (
    special: unknown,
    instead: UnknownRecord,
    otherwise: (value: unknown) => UnknownRecord | string,
  ): CompatibleParameter =>
  (value) =>
    value === special ? instead : otherwise(value);

/** Confirms a dry run, because a dry run changes nothing and so needs no confirmation by the caller. */
export const confirmedDryRun: CompatibleParameter = (value) =>
  value === true ? { dry_run: true, confirm: true } : { dry_run: value };

/** An upper limit of at least 1, which a single pass never exceeds. */
export const atLeastOne: CompatibleParameter = limited("at least 1", (value) =>
  typeof value === "number" && value >= 1
    ? {}
    : "Pass a whole number of at least 1, or leave out the parameter.",
);

/** A parameter that is a field of `metadata` on this server. */
export const inMetadata =
  (name: string): CompatibleParameter =>
  (value) => ({ metadata: { [name]: value } });

/** The parameter `metadata`, which may be passed as JSON in a string. */
export const asMetadata: CompatibleParameter = (value) => {
  const metadata = fromJsonText(value);
  return isRecord(metadata) ? { metadata } : "Pass an object.";
};

/** The parameter `phase`. Its defaults for tasks are copied to the tasks. */
export const phaseWithoutDefaults: CompatibleParameter = (value) => {
  const phase = fromJsonText(value);
  if (!isRecord(phase)) return { phase };
  const { metadata_defaults: _, ...own } = phase;
  return { phase: own };
};

/** A parameter that is a field of `phase` on this server. */
export const inPhase =
  (name: string): CompatibleParameter =>
  (value, given) =>
    isRecord(fromJsonText(given["phase"])) ? { phase: { [name]: value } } : {};

/** The parameters `key` and `value`: a value that is not text is a field of `metadata` on this server. */
export const anyField: Readonly<Record<"key" | "value", CompatibleParameter>> = {
  key: (key, { value }) => (typeof value === "string" ? { key } : {}),
  value: (value, { key }) => (typeof value === "string" ? { value } : { metadata: { [String(key)]: value } }),
};

/**
 * Fields that the Python server stores outside of a task's metadata, and that this server stores in the metadata.
 */
export const metadataOfTask: readonly string[] = [
  "actual_hours",
  "status_note",
  "verification_type",
  "command",
  "complexity",
  "details",
  "expected",
  "research_type",
  "blocking_mode",
  "query",
];

/** Joins several text parameters to one parameter of this server, in the order of the names. */
export const joined = (
  to: string,
  names: readonly string[],
): Readonly<Record<string, CompatibleParameter>> => {
  const join: CompatibleParameter = (value, given) => {
    const texts = names.flatMap((name) => (Object.hasOwn(given, name) ? [given[name]] : []));
    return { [to]: texts.every((text) => typeof text === "string") ? texts.join("\n\n") : value };
  };
  return Object.fromEntries(names.map((name) => [name, join]));
};

/**
 * The kind of a dependency. A kind in `asHere` keeps the direction, `otherWay` reverses the direction, and any other
 * kind is refused.
 */
export const exchanged = (asHere: readonly string[], otherWay: string, reason: string): CompatibleParameter =>
  limited(
    `only ${[...asHere, otherWay].map((each) => JSON.stringify(each)).join(", ")}`,
    (value, { task_id: task, depends_on: other, target_id: target = other }) => {
      if (value === otherWay) return { task_id: target, target_id: task };
      return typeof value === "string" && asHere.includes(value) ? {} : reason;
    },
  );

/** Returns the id of the spec from the path of its file in one of the folders of a workspace. */
export const specOfPath: CompatibleParameter = (value) => {
  const [, id] =
    typeof value === "string"
      ? (/(?:^|\/)(?:pending|active|completed|archived)\/([^/]+)\.json$/.exec(value) ?? [])
      : [];
  return id === undefined ? "Pass the id of the spec as spec_id." : { spec_id: id };
};

/** Parses a value that may be passed as JSON in a string, as in the examples of the Python server. */
export function fromJsonText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return parseJsonText(value);
  } catch {
    return value;
  }
}

/**
 * Converts each element of a list to an operation of a batch. An operation without a claim token uses the claim of
 * the connection, because the Python server has no claim tokens.
 */
export const asOperations =
  (toOperation: (element: unknown) => UnknownRecord | undefined, wanted: string): CompatibleParameter =>
  (value, { claim_token, claim_tokens }) => {
    const list = fromJsonText(value);
    const operations = Array.isArray(list) ? list.map(toOperation) : [];
    if (operations.length === 0 || operations.includes(undefined)) return `Pass ${wanted}.`;
    const tokens = fromJsonText(claim_tokens);
    const tokenOf = (id: unknown) => (isRecord(tokens) ? tokens[String(id)] : undefined) ?? claim_token;
    return {
      operations: operations.map((each) => ({
        claim_token: tokenOf(each?.["task_id"]) ?? ownClaim,
        ...each,
      })),
    };
  };

/** The claim tokens of the tasks in a batch: one token for all tasks, or one token for each task. */
export const batchTokens: Readonly<Record<string, CompatibleParameter>> = {
  claim_token: always,
  claim_tokens: (value) =>
    isRecord(fromJsonText(value)) ? {} : "Pass claim_tokens as an object with the token of each task_id.",
};

/** Returns a function that creates a batch operation on the task with the given id. */
export const onTask =
  (op: string, more: UnknownRecord = {}) =>
  (id: unknown): UnknownRecord | undefined =>
    typeof id === "string" ? { op, task_id: id, ...more } : undefined;

/**
 * Converts a completion of the Python server. A completion without success becomes an operation that blocks the task,
 * with the note as the reason.
 */
export function toCompletion(element: unknown): UnknownRecord | undefined {
  if (!isRecord(element)) return undefined;
  const { task_id, success = true, completion_note: note, claim_token: token, ...others } = element;
  if (Object.keys(others).length > 0 || typeof success !== "boolean") return undefined;
  if (typeof task_id !== "string" || (note !== undefined && typeof note !== "string")) return undefined;
  const claim = token === undefined ? {} : { claim_token: token };
  if (success) return { op: "complete", task_id, ...claim, ...(note === undefined ? {} : { note }) };
  return { op: "block", task_id, ...claim, reason: note ?? "It failed.", blocker_type: "technical" };
}
