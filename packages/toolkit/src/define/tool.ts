import type { Tier } from "@foundry-mcp/contract";
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
  /** 1 to 64 of A–Z, a–z, 0–9, `_` and `-`. */
  readonly name: string;
  /** The semantic version of the tool, such as 1.0.0; sent in envelope-v1. */
  readonly version: string;
  /** The purpose of the tool, written for the model that chooses among tools. */
  readonly description: string;
  /** The display name. */
  readonly title?: string | undefined;
  /** Alternative names of the tool; they are not listed. */
  readonly aliases?: readonly string[] | undefined;
  /** Callers who know the tool can call it, and nobody is told of it. @default false */
  readonly unlisted?: boolean | undefined;
  /** The feature flag that must be on for its actions. */
  readonly flag?: string | undefined;
  /** The role that its actions need. @default the lowest for those that are read-only, the highest for others */
  readonly role?: Role | undefined;
  /** The tier that its actions need. @default any */
  readonly tier?: Tier | undefined;
  /** Further `_meta` of the MCP tool definition. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** A tool with several actions, which calls select by `action`. */
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
  /** True when calls have no `action`: the only action is then stored under the name "". */
  readonly isPlain: boolean;
  readonly actions: ReadonlyMap<string, Action>;
}

/**
 * Declares a tool once, for every surface: with `actions`, or with `input`, `output` and `run` of its own.
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
  const { name, version, description, title, aliases, unlisted, flag, role, tier, meta } = definition;
  const tool = { name, version, description, title, aliases, unlisted, flag, role, tier, meta };
  if (definition.actions !== undefined) {
    return { ...tool, isPlain: false, actions: new Map(Object.entries(definition.actions)) };
  }
  const action: Action = { ...definition, description: undefined, aliases: undefined };
  return { ...tool, isPlain: true, actions: new Map([["", action]]) };
}
