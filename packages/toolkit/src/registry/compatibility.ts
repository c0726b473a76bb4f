import { isRecord, type UnknownRecord, validationError } from "@foundry-mcp/contract";
import { quoteName } from "@foundry-mcp/contract/input";
import { toKey } from "../catalogue/prepared-tool.ts";
import type { ToolDefinition } from "../catalogue/tool-definition.ts";
import type { Call } from "../context/call.ts";

/**
 * What becomes of a parameter: its name here, or a function of its value and of all arguments, which returns the arguments that
 * stand for it, or a text that refuses it.
 */
export type CompatibleParameter = string | ((value: unknown, given: UnknownRecord) => UnknownRecord | string);

/** A call as users of another server write it, and the call that answers it here. */
export interface CompatibleCall {
  readonly tool: string;
  readonly action: string;
  /** The tool and the action that answer; a text says why there is none, and what to use instead. */
  readonly to: readonly [tool: string, action: string] | string;
  /** Arguments that the call always gets. */
  readonly set?: UnknownRecord | undefined;
  readonly parameters?: Readonly<Record<string, CompatibleParameter>> | undefined;
}

/** The names of another server that this one understands. They are not listed, and cost clients no tokens. */
export interface Compatibility {
  readonly calls: readonly CompatibleCall[];
  /** Parameters that every call of these tools may have. */
  readonly parameters?: Readonly<Record<string, CompatibleParameter>> | undefined;
  /** Add the names to the definitions, for clients that call only what is listed. @default false */
  readonly listed?: boolean | undefined;
}

/** Translates a call; one whose names are this server's own is returned as it is. */
export type TranslateCall = (call: Call) => Call;

/** Creates the translation of calls. */
export function createTranslation({ calls, parameters: common = {} }: Compatibility): TranslateCall {
  const byName = new Map(calls.map((each) => [toName(each.tool, each.action), each]));
  const tools = new Set(calls.flatMap(({ tool, to }) => [tool, ...(typeof to === "string" ? [] : [to[0]])]));
  return (call) => {
    const { tool, args } = call;
    if (!isRecord(args) || typeof args["action"] !== "string" || !tools.has(toKey(tool))) return call;
    const row = byName.get(toName(tool, args["action"].toLowerCase()));
    const hasCommon = Object.keys(common).some((name) => Object.hasOwn(args, name));
    if (row === undefined && !hasCommon) return call;
    if (typeof row?.to === "string") return { ...call, refusal: refuse("action", row.to) };
    const { action: _, ...given } = args;
    const parameters = { ...common, ...row?.parameters };
    const translated = new Map<string, unknown>(Object.entries({ ...row?.set }));
    const replaced: UnknownRecord[] = [];
    for (const [name, value] of Object.entries(given)) {
      const parameter = Object.hasOwn(parameters, name) ? parameters[name] : name;
      if (typeof parameter === "function") {
        const made = parameter(value, given);
        if (typeof made === "string") return { ...call, refusal: refuse(name, made) };
        replaced.push(made);
      } else if (translated.has(parameter ?? name)) {
        return { ...call, refusal: refuse(name, `Give ${parameter ?? name} once.`) };
      } else translated.set(parameter ?? name, value);
    }
    // Several old parameters may be members of one object here.
    for (const [key, value] of replaced.flatMap((each) => Object.entries(each))) {
      const before = translated.get(key);
      translated.set(key, isRecord(before) && isRecord(value) ? { ...before, ...value } : value);
    }
    const action = row?.to[1] ?? args["action"];
    return { ...call, tool: row?.to[0] ?? tool, args: { action, ...Object.fromEntries(translated) } };
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

/** Adds the names of another server to the definitions of the tools. */
export function listCompatible(
  definitions: readonly ToolDefinition[],
  { calls, parameters: common = {} }: Compatibility,
): readonly ToolDefinition[] {
  const answered = calls.filter(({ to }) => typeof to !== "string");
  return definitions.map((definition) => {
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
