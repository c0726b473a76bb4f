import type { Tier } from "@foundry-mcp/contract";
import type { Surface } from "../context/call.ts";
import type { Role } from "../context/principal.ts";
import type { Schema } from "../schema/schema.ts";
import type {
  Action,
  ActionImplementation,
  ActionOptions,
  AnyPayload,
  Payload,
  ShownPayload,
} from "./action.ts";

/** The declaration of a tool without its actions. */
export interface ToolOptions {
  /** The name of the tool: 1 to 64 characters from A–Z, a–z, 0–9, `_` and `-`. */
  readonly name: string;
  /** The semantic version of the tool, such as 1.0.0; sent in envelope-v1. */
  readonly version: string;
  /** The purpose of the tool, written for the model that chooses among tools. */
  readonly description: string;
  /** The display name. */
  readonly title?: string | undefined;
  /** Alternative names of the tool; `tools/list` does not include them. */
  readonly aliases?: readonly string[] | undefined;
  /** True for a tool that can be called but is missing from `tools/list`. @default false */
  readonly unlisted?: boolean | undefined;
  /** The surfaces on which the tool exists; on other surfaces, it is unknown. @default all surfaces */
  readonly surfaces?: readonly Surface[] | undefined;
  /** The feature flag that must be on for the tool's actions. */
  readonly flag?: string | undefined;
  /**
   * The role that the tool's actions need.
   * @default the lowest role for read-only actions, the highest for other actions
   */
  readonly role?: Role | undefined;
  /** The tier that the tool's actions need. @default any */
  readonly tier?: Tier | undefined;
  /** Additional `_meta` keys of the MCP tool definition. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Members that replace those of the MCP tool definition, such as the annotations of another server. */
  readonly listedAs?: Readonly<Record<string, unknown>> | undefined;
}

/** A tool with several actions; a call selects one with the argument `action`. */
export interface ActionToolDefinition extends ToolOptions {
  readonly actions: Readonly<Record<string, Action>>;
}

/** A tool with a single action. */
export interface PlainToolDefinition<I extends Schema, O extends Schema, R extends Payload<O> = Payload<O>>
  extends Omit<ActionOptions<ShownPayload<NoInfer<O>>>, "description" | "aliases">,
    ToolOptions,
    ActionImplementation<I, O, R> {
  readonly actions?: undefined;
}

/** A tool as the registry stores it. */
export interface Tool extends ToolOptions {
  /** True if calls have no `action`; the tool's only action is then stored under the name "". */
  readonly isPlain: boolean;
  readonly actions: ReadonlyMap<string, Action>;
}

/**
 * Declares a tool. The same declaration is used for every surface: calls in process, stdio, HTTP and the command line.
 * A tool with several actions has `actions`; any other tool has `input`, `output` and `run`.
 *
 * @example
 * defineTool({
 *   name: "greet",
 *   version: "1.0.0",
 *   description: "Greets a person by name",
 *   input: z.object({ name: z.string() }),
 *   output: z.object({ greeting: z.string() }),
 *   readOnly: true,
 *   run: ({ name }) => ({ greeting: `Hello, ${name}!` }),
 * });
 */
export function defineTool<
  I extends Schema = Schema<object, Record<string, never>>,
  O extends Schema = AnyPayload,
  const R extends Payload<O> = Payload<O>,
>(definition: PlainToolDefinition<I, O, R> | ActionToolDefinition): Tool {
  const { name, version, description, title, aliases, unlisted, surfaces } = definition;
  const { flag, role, tier, meta, listedAs } = definition;
  const tool = {
    ...{ name, version, description, title, aliases, unlisted, surfaces },
    ...{ flag, role, tier, meta, listedAs },
  };
  if (definition.actions !== undefined) {
    return { ...tool, isPlain: false, actions: new Map(Object.entries(definition.actions)) };
  }
  const action: Action = { ...definition, description: undefined, aliases: undefined };
  return { ...tool, isPlain: true, actions: new Map([["", action]]) };
}
