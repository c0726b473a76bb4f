import type { UnknownRecord } from "@foundry-mcp/contract";
import type { RequestContext } from "../context/context.ts";
import type { LazySchema, Schema, SchemaOutput } from "../schema/schema.ts";
import type { Completer } from "./resource.ts";

/** A message of a prompt, as MCP writes it. */
export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: UnknownRecord;
}

/** What a prompt gives: a text of the user, messages, or a whole MCP result. */
export type PromptResult = string | readonly PromptMessage[] | UnknownRecord;

/** A prompt as it is written. */
export interface PromptDefinition<A extends Schema> {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** An object of texts. @default no arguments */
  readonly arguments?: LazySchema<A> | undefined;
  /** Completions of an argument's value. */
  readonly complete?: Readonly<Record<string, Completer>> | undefined;
  readonly render: (input: SchemaOutput<A>, context: RequestContext) => PromptResult | Promise<PromptResult>;
}

/** A prompt as the registry keeps it. */
export interface Prompt extends Omit<PromptDefinition<Schema>, "render"> {
  readonly render: (input: never, context: RequestContext) => PromptResult | Promise<PromptResult>;
}

/** Declares a prompt; the types of its arguments reach `render`. */
export function definePrompt<A extends Schema = Schema<object, Record<string, never>>>(
  definition: PromptDefinition<A>,
): Prompt {
  return definition;
}
