import type { Envelope, Tier } from "@foundry-mcp/contract";
import type { PageLimits } from "@foundry-mcp/contract/paging";
import type { Context } from "../context/context.ts";
import type { LazySchema, Schema, SchemaInput, SchemaOutput } from "../schema/schema.ts";

/** What a caller may assume of an action; sent to clients as annotations. */
export interface ActionHints {
  /** It changes nothing. @default false */
  readonly readOnly?: boolean | undefined;
  /** Called twice with the same arguments it does no more than once. @default the value of readOnly */
  readonly idempotent?: boolean | undefined;
  /** It may delete or overwrite. @default false */
  readonly destructive?: boolean | undefined;
  /** It reaches things outside this server. @default false */
  readonly openWorld?: boolean | undefined;
}

/** A call that shows how an action is used, and in tests that it works. */
export interface ActionExample {
  readonly title: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A part of an action that needs a tier. */
export interface FeatureOptions {
  readonly tier: Tier;
  /** Why one would want it, told as an upgrade hint. */
  readonly reason?: string | undefined;
  /** Below the tier the call fails with UPGRADE_REQUIRED, or goes on without it and says so. @default "refuse" */
  readonly below?: "refuse" | "omit" | undefined;
}

/** Where an action stands on the command line. */
export interface CliPlacement {
  /** One or two words, such as `tasks complete`. @default `{tool} {action}` */
  readonly command?: string | undefined;
  /** Other commands that do the same. */
  readonly aliases?: readonly string[] | undefined;
  /** Parameters that are given by their place, in this order. */
  readonly arguments?: readonly string[] | undefined;
  /** Letters for parameters that are typed often: `{ status: "s" }` for `-s`. */
  readonly short?: Readonly<Record<string, string>> | undefined;
  /** Parameters whose texts are taken as they stand: `@` and `-` mean nothing in them. */
  readonly literal?: readonly string[] | undefined;
  /** Texts that are given as a file: its path is written, or `-` for stdin, and its content is sent. */
  readonly files?: readonly string[] | undefined;
  /** What `--human` writes to stdout for an answer of the action. @default what is made of any payload */
  readonly show?: ((envelope: Envelope, canvas: Canvas) => string | undefined) | undefined;
}

/** How a list action pages. */
export interface PageOptions extends PageLimits {
  /** What `limit` counts. @default "Rows" */
  readonly of?: string | undefined;
  /** The key of the payload that holds the rows. @default the only list of the output */
  readonly rows?: string | undefined;
}

/** What an action of a tool is, apart from what it does. */
export interface ActionOptions extends ActionHints {
  readonly description?: string | undefined;
  /** Other names under which the action is known. */
  readonly aliases?: readonly string[] | undefined;
  /** Other names of parameters: old name to present name. */
  readonly parameterAliases?: Readonly<Record<string, string>> | undefined;
  /** A list action: it takes `limit` and `cursor`, and its handler pages with `ctx.page`. */
  readonly page?: PageOptions | undefined;
  /** The longest it may take. @default the registry's timeoutMs */
  readonly timeoutMs?: number | undefined;
  readonly examples?: readonly ActionExample[] | undefined;
  /** The feature flag that must be on. @default the tool's */
  readonly flag?: string | undefined;
  /** The tier that it needs. @default the tool's */
  readonly tier?: Tier | undefined;
  /** What it can do only at some tier; its handler asks with `ctx.feature(name)`. */
  readonly features?: Readonly<Record<string, FeatureOptions>> | undefined;
  /** Where it stands on the command line; false for nowhere. @default `{tool} {action}` */
  readonly cli?: CliPlacement | false | undefined;
  /**
   * The handler returns an MCP tool result that is sent to MCP clients as it is, instead of a
   * payload for the envelope. Failures are envelopes all the same.
   */
  readonly raw?: boolean | undefined;
}

/** Any object; what can be walked through, such as an array, is no payload. */
type AnyObject = object & { readonly [Symbol.iterator]?: never };

/** The output of an action that declares none: any object, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement returns void
export type AnyPayload = Schema<AnyObject | undefined | void, object>;

/** What a handler may return: the declared payload, which it need not own. */
export type Payload<O extends Schema> = [AnyPayload] extends [O]
  ? SchemaInput<AnyPayload>
  : Immutable<SchemaInput<O>>;

/** The same with nothing to write to: a list that someone else keeps is a payload as well. */
type Immutable<T> = unknown extends T ? T : T extends Kept ? T : { readonly [K in keyof T]: Immutable<T[K]> };
type Kept =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Date
  | ((...args: never[]) => unknown);

/**
 * What an action takes, gives and does. `R` is what its handler returns; it is a parameter of its own
 * so that `"done"` stays `"done"` where the schema wants one of a few words.
 */
export interface ActionImplementation<I extends Schema, O extends Schema, R extends Payload<O>> {
  /** An object of parameters. @default no parameters */
  readonly input?: LazySchema<I> | undefined;
  /** The payload, always an object. @default any object */
  readonly output?: LazySchema<O> | undefined;
  readonly run: (input: SchemaOutput<NoInfer<I>>, context: Context) => R | Promise<R>;
}

/** An action as it is written: typed input in, typed payload out. */
export interface ActionDefinition<I extends Schema, O extends Schema, R extends Payload<O> = Payload<O>>
  extends ActionOptions,
    ActionImplementation<I, O, R> {}

/** An action as the registry keeps it, its types checked and forgotten. */
export interface Action extends ActionOptions {
  readonly input?: LazySchema | undefined;
  readonly output?: LazySchema | undefined;
  readonly run: (input: never, context: Context) => unknown;
}

/**
 * Declares an action of a tool; the types of its schemas reach the handler.
 *
 * @example
 * action({
 *   description: "One note by its id",
 *   input: z.object({ id: z.string() }),
 *   output: z.object({ text: z.string() }),
 *   readOnly: true,
 *   run: ({ id }) => ({ text: notes.get(id) }),
 * });
 */
export function action<
  I extends Schema = Schema<object, Record<string, never>>,
  O extends Schema = AnyPayload,
  const R extends Payload<O> = Payload<O>,
>(definition: ActionDefinition<I, O, R>): Action {
  return definition;
}

/** Ways to set a text apart; where there are no colours they give it back as it is. */
export interface Colors {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

/** How an answer is shown to people: the width is known on a terminal only. */
export interface Canvas {
  readonly width: number | undefined;
  readonly colors: Colors;
}
