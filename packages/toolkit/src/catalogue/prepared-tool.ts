import { internal } from "@foundry-mcp/contract";
import { quoteName } from "@foundry-mcp/contract/input";
import type { Role } from "../context/principal.ts";
import type { Action, ActionHints } from "../define/action.ts";
import type { Tool } from "../define/tool.ts";
import { resolveSchema, type Schema } from "../schema/schema.ts";
import { checkAction, checkRequirements, toRowsKey } from "./check-action.ts";
import { type InputShape, toInputShape } from "./input-shape.ts";
import { isSemanticVersion } from "./semantic-version.ts";

/** An action with the data derived from its declaration; each property is created when it is first read. */
export interface PreparedAction {
  readonly name: string;
  /** The action in the form that a caller writes: `notes` or `task(action="get")`. */
  readonly label: string;
  readonly definition: Action;
  readonly hints: Required<{ readonly [K in keyof ActionHints]: boolean }>;
  readonly input: InputShape;
  readonly output: Schema | undefined;
  /** The key of the rows in the payload of a list action; undefined if the declaration names no key. */
  readonly rowsKey: string | undefined;
}

/** A tool with its actions prepared. */
export interface PreparedTool extends Omit<Tool, "actions"> {
  readonly actions: ReadonlyMap<string, PreparedAction>;
  /** Finds an action by its name or an alias; snake_case and kebab-case are equivalent. */
  findAction(name: string): PreparedAction | undefined;
}

const toolName = /^[A-Za-z0-9_-]{1,64}$/;

function quoteVersion(version: unknown): string {
  return typeof version === "string" ? quoteName(version) : `of type ${typeof version}`;
}

/** Prepares a declared tool; throws for names that clash and for names that clients would refuse. */
export function prepareTool(tool: Tool, roles: readonly Role[]): PreparedTool {
  for (const name of [tool?.name, ...(tool?.aliases ?? [])]) {
    if (typeof name === "string" && toolName.test(name)) continue;
    throw internal(`Cannot declare tool "${String(name)}": a name has 1 to 64 of A–Z, a–z, 0–9, _ and -`);
  }
  if (!isSemanticVersion(tool.version)) {
    throw internal(
      `Cannot declare tool ${tool.name}: its version ${quoteVersion(tool.version)} is no semantic version`,
      {
        remediation: "Give the tool a version such as 1.0.0.",
      },
    );
  }
  checkRequirements(tool, `tool ${tool.name}`, roles);
  const actions = new Map<string, PreparedAction>();
  const byName = new Map<string, PreparedAction>();
  for (const [name, definition] of tool.actions) {
    const action = prepareAction(tool, name, definition, roles);
    actions.set(name, action);
    for (const known of [name, ...(definition.aliases ?? [])]) {
      if (byName.has(toKey(known))) {
        throw internal(`Cannot declare ${action.label}: another action of ${tool.name} is called ${known}`);
      }
      byName.set(toKey(known), action);
    }
  }
  if (actions.size === 0) throw internal(`Cannot declare tool ${tool.name}: it has no action`);
  return { ...tool, actions, findAction: (name) => actions.get(name) ?? byName.get(toKey(name)) };
}

function prepareAction(tool: Tool, name: string, definition: Action, roles: readonly Role[]): PreparedAction {
  const label = tool.isPlain ? tool.name : `${tool.name}(action="${name}")`;
  checkAction(definition, label, roles);
  const { readOnly = false, destructive = false, openWorld = false } = definition;
  let input: InputShape | undefined;
  let output: Schema | undefined;
  let rowsKey: string | undefined;
  return {
    name,
    label,
    definition,
    hints: { readOnly, idempotent: definition.idempotent ?? readOnly, destructive, openWorld },
    get input() {
      input ??= toInputShape(definition, label);
      return input;
    },
    get output() {
      if (definition.output !== undefined) output ??= resolveSchema(definition.output);
      return output;
    },
    get rowsKey() {
      rowsKey ??= toRowsKey(definition, label);
      return rowsKey;
    },
  };
}

/** Returns the lookup key of a name, in which `_` and `-` are equivalent. */
export function toKey(name: string): string {
  return name.replaceAll("_", "-");
}
