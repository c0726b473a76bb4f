import { isRecord, type UnknownRecord, validationError } from "@foundry-mcp/contract";
import { quoteName } from "@foundry-mcp/contract/input";
import { toKey } from "../catalogue/prepared-tool.ts";
import type { ToolDefinition } from "../catalogue/tool-definition.ts";
import type { Call } from "../context/call.ts";
import type { CompatibleAnswer } from "./compatible-keys.ts";

/**
 * The translation of another server's parameter: the parameter's name on this server, or a function. The function
 * receives the value and all arguments. The function returns the arguments that replace the parameter, or, to refuse
 * the parameter, a text with the reason.
 */
export type CompatibleParameter = string | ((value: unknown, given: UnknownRecord) => UnknownRecord | string);

/** A call in the form of another server, and the equivalent call of this server. */
export interface CompatibleCall {
  readonly tool: string;
  readonly action: string;
  /**
   * Restricts this entry to calls whose parameters have the given values. An entry with `when` takes
   * precedence over an entry without `when`.
   */
  readonly when?: UnknownRecord | undefined;
  /** The equivalent tool and action; or a text that says why there is no equivalent and what to use instead. */
  readonly to: readonly [tool: string, action: string] | string;
  /** Arguments that are added to every call to which this entry applies. */
  readonly set?: UnknownRecord | undefined;
  readonly parameters?: Readonly<Record<string, CompatibleParameter>> | undefined;
  /**
   * The required parameters: the key is the name on the other server, the value the name on this server. A
   * call must contain the parameter under one of the two names.
   */
  readonly requires?: Readonly<Record<string, string>> | undefined;
  /**
   * Returns a warning about a call that this server understands otherwise than the other server. If the call has the
   * same tool and action on both servers, only clients that expect the other server (`listed`) get the warning.
   */
  readonly warn?: ((given: UnknownRecord) => string | undefined) | undefined;
}

/**
 * The names of another server's tools, actions and parameters that this server accepts. By default, the tool
 * definitions do not list these names, so the names cost clients no tokens.
 */
export interface Compatibility {
  readonly calls: readonly CompatibleCall[];
  /** Translations of parameters that all calls of these tools may have. */
  readonly parameters?: Readonly<Record<string, CompatibleParameter>> | undefined;
  /** Keys of the other server's answers that are added to the answers of this server if `isAnswered` returns true. */
  readonly answers?: readonly CompatibleAnswer[] | undefined;
  /** Returns true if the keys of the other server are added to an answer. @default the value of `listed` */
  readonly isAnswered?: (() => boolean) | undefined;
  /**
   * If true, the names are added to the tool definitions, for clients that use only listed names.
   * @default false
   */
  readonly listed?: boolean | undefined;
}

/** Translates a call; a call that uses only names of this server is returned unchanged. */
export type TranslateCall = (call: Call) => Call;

/** Returns the maximum of `limit` of a list action; undefined for other actions. */
type FindMaxLimit = (tool: string, action: string) => number | undefined;

/**
 * Creates the function that translates calls. For clients that expect the other server (`listed`), a `limit` above the
 * maximum is lowered to it, with a warning, because other servers have other maxima.
 */
export function createTranslation(
  compatibility: Compatibility,
  findMaxLimit: FindMaxLimit = () => undefined,
): TranslateCall {
  const translate = createNameTranslation(compatibility);
  if (compatibility.listed !== true) return translate;
  return (call) => withinLimit(translate(call), findMaxLimit);
}

/** Lowers a `limit` above the maximum, and says so in a warning. */
function withinLimit(call: Call, findMaxLimit: FindMaxLimit): Call {
  const { tool, args, refusal } = call;
  if (refusal !== undefined || !isRecord(args) || typeof args["action"] !== "string") return call;
  const { limit } = args;
  const max = findMaxLimit(tool, args["action"]);
  if (max === undefined || !Number.isSafeInteger(limit) || Number(limit) <= max) return call;
  const warning = `limit ${limit} is above the maximum of ${max}: a page has at most ${max} rows`;
  return { ...call, args: { ...args, limit: max }, warnings: [...(call.warnings ?? []), warning] };
}

function createNameTranslation({
  calls,
  parameters: common = {},
  listed = false,
}: Compatibility): TranslateCall {
  const byName = new Map<string, readonly CompatibleCall[]>();
  for (const each of calls) {
    const name = toName(each.tool, each.action);
    const before = byName.get(name) ?? [];
    byName.set(name, each.when === undefined ? [...before, each] : [each, ...before]);
  }
  const tools = new Set(calls.flatMap(({ tool, to }) => [tool, ...(typeof to === "string" ? [] : [to[0]])]));
  return (call) => {
    const { tool, args } = call;
    if (!isRecord(args) || typeof args["action"] !== "string" || !tools.has(toKey(tool))) return call;
    const row = byName
      .get(toName(tool, args["action"].toLowerCase()))
      ?.find(({ when = {} }) => Object.entries(when).every(([name, value]) => args[name] === value));
    const hasCommon = Object.keys(common).some((name) => Object.hasOwn(args, name));
    if (row === undefined && !hasCommon) return call;
    const refusedBy = typeof row?.to === "object" ? row.to[0] : "server";
    if (typeof row?.to === "string") return { ...call, refusedBy, refusal: refuse("action", row.to) };
    const { action: _, ...given } = args;
    const parameters = { ...common, ...row?.parameters };
    const translated = new Map<string, unknown>(Object.entries({ ...row?.set }));
    const replaced: UnknownRecord[] = [];
    for (const [name, value] of Object.entries(given)) {
      const parameter = Object.hasOwn(parameters, name) ? parameters[name] : name;
      if (typeof parameter === "function") {
        const made = parameter(value, given);
        if (typeof made === "string") return { ...call, refusedBy, refusal: refuse(name, made) };
        replaced.push(made);
      } else if (translated.has(parameter ?? name)) {
        return { ...call, refusedBy, refusal: refuse(name, `Give ${parameter ?? name} once.`) };
      } else translated.set(parameter ?? name, value);
    }
    const missing = Object.entries(row?.requires ?? {}).find(
      (names) => !names.some((name) => given[name] !== undefined && given[name] !== null),
    );
    if (missing !== undefined)
      return { ...call, refusedBy, refusal: validationError({ field: missing[0], constraint: "required" }) };
    // Several parameters of the other server may become members of one object argument.
    for (const [key, value] of replaced.flatMap((each) => Object.entries(each))) {
      const before = translated.get(key);
      translated.set(key, isRecord(before) && isRecord(value) ? { ...before, ...value } : value);
    }
    const action = row?.to[1] ?? args["action"];
    const hasOtherName = typeof row?.to === "object" && (row.to[0] !== row.tool || row.to[1] !== row.action);
    const warning = listed || hasOtherName ? row?.warn?.(given) : undefined;
    return {
      ...call,
      tool: row?.to[0] ?? tool,
      args: { action, ...Object.fromEntries(translated) },
      ...(warning === undefined ? {} : { warnings: [warning] }),
    };
  };
}

function toName(tool: string, action: string): string {
  return `${toKey(tool)} ${toKey(action)}`;
}

function refuse(field: string, reason: string) {
  const message =
    field === "action" ? "this server has no such action" : `${quoteName(field)} cannot be taken as given`;
  return validationError({ field, constraint: "unsupported", message }, { remediation: reason });
}

/** Returns the actions of another server that this server answers, by tool. */
export function compatibleActions({
  calls,
}: Pick<Compatibility, "calls">): ReadonlyMap<string, readonly string[]> {
  const actions = new Map<string, readonly string[]>();
  for (const { tool, action, to } of calls)
    if (typeof to !== "string") actions.set(tool, [...new Set([...(actions.get(tool) ?? []), action])]);
  return actions;
}

/** The description of a tool that only another server has. */
export const compatibleDescription = "Answer calls by their names on another server";

/**
 * Adds the names of another server to the tool definitions. If this server has no tool with the name of the
 * other server's tool, also adds a definition of that tool.
 */
export function listCompatible(
  definitions: readonly ToolDefinition[],
  compatibility: Compatibility,
): readonly ToolDefinition[] {
  const { calls, parameters: common = {} } = compatibility;
  const answered = calls.filter(({ to }) => typeof to !== "string");
  const known = new Set(definitions.map(({ name }) => name));
  const others = [...compatibleActions(compatibility).keys()].filter((name) => !known.has(name));
  const added = others.map((name) => ({
    name,
    description: compatibleDescription,
    inputSchema: { type: "object", properties: { action: {} }, required: ["action"] },
    annotations: {},
    _meta: {},
  }));
  return [...definitions, ...added].map((definition) => {
    const own = answered.filter(({ tool }) => tool === definition.name);
    if (own.length === 0) return definition;
    const { properties = {}, ...schema } = definition.inputSchema as {
      readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
    };
    const { action, ...others } = properties;
    const names = own.flatMap(({ parameters = {} }) => Object.keys(parameters));
    const added = [...Object.keys(common), ...names].filter((name) => !Object.hasOwn(properties, name));
    const known = action?.enum ?? [];
    return {
      ...definition,
      inputSchema: {
        ...schema,
        properties: {
          action: { ...action, enum: [...new Set([...known, ...own.map((each) => each.action)])] },
          ...others,
          ...Object.fromEntries(added.map((name) => [name, {}])),
        },
      },
    };
  });
}
