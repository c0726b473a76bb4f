import { type Action, type GoodTool, isPlain, type Parameter, plain } from "./good-tool.ts";
import { type Refusal, refuseArgument, refuseName } from "./refusal.ts";
import type { Json } from "./rpc.ts";

/** Invalid arguments that a server accepts. */
export interface Leniency {
  /** Returns true to omit a refusal. */
  readonly forgives?: ((refusal: Refusal, value: unknown) => boolean) | undefined;
  /** True to treat null for an optional argument as a value of the wrong type. */
  readonly refusesNull?: boolean | undefined;
}

/** The requested action with its arguments, and the faults of the arguments. */
export interface CheckedArguments {
  readonly name: string;
  readonly action: Action | undefined;
  readonly args: Json;
  readonly refusals: readonly Refusal[];
}

/** Checks the arguments of a call against the declaration of the tool. */
export function checkArguments(tool: GoodTool, given: Json, leniency: Leniency): CheckedArguments {
  const { name, refusal } = isPlain(tool) ? { name: plain } : findAction(tool, given["action"], leniency);
  const action = tool.actions[name];
  const refusals: Refusal[] = refusal === undefined ? [] : [refusal];
  const args: Record<string, unknown> = {};
  const refuse = (found: Refusal | undefined, value: unknown) => {
    if (found !== undefined && leniency.forgives?.(found, value) !== true) refusals.push(found);
  };
  const known = parametersOf(tool, action);
  for (const [field, value] of Object.entries(given)) {
    if (field === "action" && !isPlain(tool)) continue;
    const parameter = known.get(field);
    // A null means that the argument is absent, even if the parameter belongs to another action.
    if (value === null && allParameters(tool).has(field)) {
      refuse(checkNull(field, action, leniency), value);
    } else if (parameter === undefined) {
      refuse(refuseName("unknown-argument", field, [...known.keys()]), value);
      continue;
    } else {
      refuse(checkValue(field, value, parameter), value);
    }
    if (value !== null || action?.required?.includes(field) === true) args[field] = value;
  }
  for (const field of action?.required ?? []) {
    if (!(field in given)) refuse(refuseArgument("missing", field, "required", "given"), undefined);
  }
  return { name, action, args, refusals };
}

function findAction(
  tool: GoodTool,
  value: unknown,
  { forgives }: Leniency,
): { name: string; refusal?: Refusal } {
  const names = Object.keys(tool.actions);
  const refusal =
    value === undefined || value === null
      ? refuseArgument("missing", "action", "required", `one of ${names.join(", ")}`)
      : typeof value !== "string"
        ? refuseArgument("type", "action", "type", `one of ${names.join(", ")}`)
        : names.includes(value)
          ? undefined
          : refuseName("unknown-action", value, names);
  if (refusal === undefined) return { name: String(value) };
  return forgives?.(refusal, value) === true ? { name: names[0] ?? plain } : { name: plain, refusal };
}

function allParameters(tool: GoodTool): ReadonlyMap<string, Parameter> {
  return new Map(Object.values(tool.actions).flatMap(({ parameters }) => Object.entries(parameters)));
}

/** Returns the parameters of an action. If the action is unknown, the parameters of all actions are valid. */
function parametersOf(tool: GoodTool, action: Action | undefined): ReadonlyMap<string, Parameter> {
  return action === undefined ? allParameters(tool) : new Map(Object.entries(action.parameters));
}

function checkNull(
  field: string,
  action: Action | undefined,
  { refusesNull }: Leniency,
): Refusal | undefined {
  if (action?.required?.includes(field) === true) return refuseArgument("null", field, "required", "given");
  return refusesNull === true ? refuseArgument("type", field, "type", "left out, or not null") : undefined;
}

const names = { string: "a text", integer: "a whole number", boolean: "true or false" } as const;

function checkValue(field: string, value: unknown, parameter: Parameter): Refusal | undefined {
  const { type, minimum = -Infinity, maximum = Infinity } = parameter;
  const fits = type === "integer" ? Number.isInteger(value) : typeof value === type;
  if (!fits) return refuseArgument("type", field, "type", names[type]);
  if (typeof value !== "number" || (value >= minimum && value <= maximum)) return undefined;
  const range = maximum === Infinity ? `at least ${minimum}` : `a whole number from ${minimum} to ${maximum}`;
  return refuseArgument("range", field, "range", range);
}
