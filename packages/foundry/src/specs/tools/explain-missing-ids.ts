import {
  ContractError,
  isContractError,
  isRecord,
  type RemedyCall,
  validationError,
} from "@foundry-mcp/contract";
import { editDistance, isQuotable, quoteName } from "@foundry-mcp/contract/input";
import type { Action, Context, Tool } from "@foundry-mcp/toolkit";
import { toSlug } from "../model/changes/create-spec.ts";
import { findByTitle, type Titled } from "../model/find-by-title.ts";
import { nodeIdPattern, specIdPattern } from "../model/known-values.ts";
import { rootId } from "../model/spec-document.ts";
import type { Workspace } from "./workspace.ts";

type Run = (input: never, context: never) => unknown;
type Input = Readonly<Record<string, unknown>>;

/**
 * Makes a tool explain ids of specs and nodes that do not exist. If the id is the title of one spec or node, the error
 * repeats the call with its id. Otherwise the error lists the nearest ids in the workspace.
 */
export function explainMissingIds(workspace: Workspace, tool: Tool): Tool {
  const actions = [...tool.actions].map(
    ([name, action]) => [name, { ...action, run: explain(workspace, action.run as Run) } as Action] as const,
  );
  return { ...tool, actions: new Map(actions) };
}

function explain(workspace: Workspace, run: Run): Run {
  return async (input: Input, context: Context) => {
    try {
      return await run(input as never, context as never);
    } catch (error) {
      if (!isContractError(error)) throw error;
      throw error.code === "SPEC_NOT_FOUND"
        ? await explainSpec(workspace, input, context, error)
        : await explainNode(workspace, input, context, error);
    }
  };
}

async function explainSpec(
  workspace: Workspace,
  input: Input,
  context: Context,
  error: ContractError,
): Promise<ContractError> {
  const { spec_id: id } = input;
  // The error for a spec in the trash already explains how to restore the spec.
  if (typeof id !== "string" || detailsOf(error)["in_trash"] === true) return error;
  const specs = await listSpecs(workspace, context);
  const { ids, isExact } = findByTitle(id, specs);
  const isWellFormed = specIdPattern.test(id);
  const known = specs.map((spec) => spec.id);
  const near = [...new Set([...ids, ...nearestSpecIds(isWellFormed ? id : toSlug(id), known)])];
  const explained = isWellFormed ? withNearest(near, error) : illFormed(near, id);
  const [only, second] = ids;
  if (only === undefined || second !== undefined || !isExact) return explained;
  return named(id, "spec", await correctedCall(workspace, input, context, { spec_id: only }), explained);
}

/** Creates the error for a text that no spec can have as its id; it may be the title of a spec. */
function illFormed(near: readonly string[], id: string): ContractError {
  const advice =
    near.length === 0
      ? "Give the id of a spec: lower-case letters, digits and hyphens, such as tide-tables-2026-01-31-001."
      : `Did you mean ${listNear(near)}?`;
  return validationError(
    { field: "spec_id", constraint: "pattern", pattern: specIdPattern.source, received: id },
    {
      message: isQuotable(id)
        ? `Cannot find a spec with the id ${quoteName(id)}: an id has only lower-case letters, digits and hyphens`
        : "Cannot find the spec: its id has only lower-case letters, digits and hyphens",
      remediation: `${advice} {1} lists them.`,
      remedy: { tool: "spec", action: "list" },
    },
  );
}

function withNearest(near: readonly string[], error: ContractError): ContractError {
  if (near.length === 0) return error;
  const { details, ...options } = error.options;
  return new ContractError(error.message, {
    ...options,
    remediation: `Did you mean ${listNear(near)}? {1} lists all specs.`,
    remedy: { tool: "spec", action: "list" },
    details: { ...details, nearest: near.slice(0, maxNear) },
  });
}

const listNear = (near: readonly string[]) => near.slice(0, maxNear).join(", ");

/** Explains a node that was named by its title; returns other errors unchanged. */
async function explainNode(
  workspace: Workspace,
  input: Input,
  context: Context,
  error: ContractError,
): Promise<ContractError> {
  const written = missingNode(error, input);
  const { spec_id } = input;
  if (written === undefined || typeof spec_id !== "string") return error;
  const nodes = await listNodes(workspace, spec_id);
  const { ids, isExact } = findByTitle(written, nodes);
  const [only, second] = ids;
  const numbered = isExact ? error : withNumbered(nodes, written, spec_id, error);
  if (only === undefined || numbered !== error) return numbered;
  const field = Object.keys(input).find((key) => input[key] === written);
  if (second === undefined && isExact && field !== undefined)
    return named(written, "node", await correctedCall(workspace, input, context, { [field]: only }), error);
  const titles = nodes.filter(({ id }) => ids.includes(id)).map(({ id, title }) => `${id} "${title}"`);
  return new ContractError(error.message, {
    ...error.options,
    remediation: `Did you mean ${titles.join(" or ")}? {1} lists all.`,
    remedy: { tool: "task", action: "hierarchy", arguments: { spec_id } },
  });
}

/** Adds the ids with the numbers of an ill-formed id: `1-2` probably means `task-1-2`. */
function withNumbered(
  nodes: readonly Titled[],
  written: string,
  spec_id: string,
  error: ContractError,
): ContractError {
  const numbers = /^\d+(?:[-.]\d+)*$/.test(written) ? written.replaceAll(".", "-") : undefined;
  const near = nodes.map(({ id }) => id).filter((id) => id.replace(/^[a-z]+-/, "") === numbers);
  if (numbers === undefined || near.length === 0) return error;
  return new ContractError(error.message, {
    ...error.options,
    remediation: `Did you mean ${listNear(near)}? {1} lists all.`,
    remedy: { tool: "task", action: "hierarchy", arguments: { spec_id } },
  });
}

/** Returns the text that was given as the id of a node that does not exist; undefined for other errors. */
function missingNode(error: ContractError, input: Input): string | undefined {
  const { resource_id: id, constraint, pattern, received, field } = detailsOf(error);
  const isIllFormed = constraint === "pattern" && pattern === nodeIdPattern.source;
  // An error does not quote every text that it received.
  const given = typeof field === "string" && Object.hasOwn(input, field) ? input[field] : received;
  const written = isIllFormed ? given : isNodeError(error) ? id : undefined;
  return typeof written === "string" ? written : undefined;
}

function isNodeError(error: ContractError): boolean {
  const { resource_type: type } = detailsOf(error);
  return type === "task" || type === "phase";
}

/** Creates the error for a title that was given as an id; the remedy is the same call with the id. */
function named(
  written: string,
  kind: "spec" | "node",
  { call, id }: { readonly call: RemedyCall; readonly id: string },
  error: ContractError,
): ContractError {
  const list: RemedyCall =
    kind === "spec"
      ? { tool: "spec", action: "list" }
      : { tool: "task", action: "hierarchy", arguments: { spec_id: call.arguments?.["spec_id"] } };
  const name = isQuotable(written) ? quoteName(written) : "The text";
  return new ContractError(error.message, {
    ...error.options,
    remediation: `${name} is the title of ${id}. Use the id: {1}; or list all: {2}.`,
    remedy: [call, list],
  });
}

/**
 * Returns the call with the right id. Titles of nodes in the same call are replaced by ids, too, so that one error is
 * enough. Values that an error must not quote are named as needed.
 */
async function correctedCall(
  workspace: Workspace,
  input: Input,
  { tool, action }: Context,
  correct: Readonly<Record<string, string>>,
): Promise<{ readonly call: RemedyCall; readonly id: string }> {
  const [id = ""] = Object.values(correct);
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  const args: Record<string, unknown> = { ...Object.fromEntries(entries.filter(isRepeatable)), ...correct };
  const nodes = await listNodes(workspace, String(args["spec_id"]));
  for (const field of nodeFields) {
    const text = args[field];
    if (typeof text !== "string" || nodes.some((node) => node.id === text)) continue;
    const { ids, isExact } = findByTitle(text, nodes);
    if (ids.length === 1 && isExact) args[field] = ids[0];
  }
  const needs = entries.map(([name]) => name).filter((name) => !Object.hasOwn(args, name));
  return { call: { tool, action, arguments: args, ...(needs.length === 0 ? {} : { needs }) }, id };
}

/** True for a parameter that an error may repeat: a short value that is no secret. */
function isRepeatable([name, value]: readonly [string, unknown]): boolean {
  if (name === "claim_token") return false;
  if (typeof value === "string") return name === "spec_id" || nodeFields.includes(name) || isQuotable(value);
  return typeof value !== "object";
}

/** The parameters that take the id of a node. */
const nodeFields = ["task_id", "phase_id", "verify_id", "parent"];

/** Lists the nodes of a spec; none if the spec cannot be read. */
async function listNodes(workspace: Workspace, id: string): Promise<readonly Titled[]> {
  const spec = await unlessRefused(workspace.store().then((store) => store.read(id)));
  return spec?.model.orderedNodes.filter((node) => node.id !== rootId) ?? [];
}

/** Lists the specs that a call may mean: a restoration means a spec in the trash. */
async function listSpecs(workspace: Workspace, { tool, action }: Context): Promise<readonly Titled[]> {
  const store = await unlessRefused(workspace.store());
  const isTrashed = tool === "spec" && action === "restore";
  return (await unlessRefused(isTrashed ? store?.trash() : store?.list().then(({ specs }) => specs))) ?? [];
}

/** Returns undefined if the specs cannot be read, for example in a database that is not set up. */
async function unlessRefused<T>(work: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isContractError(error)) throw error;
    return undefined;
  }
}

function detailsOf({ options: { details } }: ContractError): Readonly<Record<string, unknown>> {
  return isRecord(details) ? details : {};
}

const maxNear = 3;

/**
 * Returns up to three similar ids. Ids that contain the given text come first, then ids that differ from the
 * text in a few letters.
 */
export function nearestSpecIds(written: string, ids: readonly string[]): readonly string[] {
  const most = Math.max(2, Math.floor(written.length / 3));
  const ranked = ids.flatMap((id) => {
    if (written.length > 2 && id.startsWith(written)) return [{ id, rank: 0 }];
    if (written.length > 2 && id.includes(written)) return [{ id, rank: 1 }];
    // People often remember an id without its date and number.
    const bare = id.replace(/-\d{4}-\d\d-\d\d(-\d+)?$/, "");
    const far = Math.min(editDistance(written, id, most), editDistance(written, bare, most));
    return far <= most && far < written.length ? [{ id, rank: 1 + far }] : [];
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, maxNear)
    .map(({ id }) => id);
}
