import type { UnknownRecord } from "@foundry-mcp/contract";
import type { RequestContext } from "../context/context.ts";
import type { LazySchema, Schema, SchemaOutput } from "../schema/schema.ts";
import type { Completer } from "./resource.ts";

/** A message of a prompt, in MCP form. */
export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: UnknownRecord;
}

/** The result of a prompt: a text with the role `user`, a list of messages, or a complete MCP result. */
export type PromptResult = string | readonly PromptMessage[] | UnknownRecord;

/** The declaration of a prompt. */
export interface PromptDefinition<A extends Schema> {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** A schema for an object whose values are strings. @default no arguments */
  readonly arguments?: LazySchema<A> | undefined;
  /** Functions that complete the values of arguments, by the name of the argument. */
  readonly complete?: Readonly<Record<string, Completer>> | undefined;
  readonly render: (input: SchemaOutput<A>, context: RequestContext) => PromptResult | Promise<PromptResult>;
}

/** A prompt as the registry stores it. */
export interface Prompt extends Omit<PromptDefinition<Schema>, "render"> {
  readonly render: (input: never, context: RequestContext) => PromptResult | Promise<PromptResult>;
}

/** Declares a prompt; the types of its arguments are inferred for `render`. */
export function definePrompt<A extends Schema = Schema<object, Record<string, never>>>(
  definition: PromptDefinition<A>,
): Prompt {
  return definition;
}
