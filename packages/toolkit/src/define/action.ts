import type { Envelope, Failure, Success, Tier, UnknownRecord } from "@foundry-mcp/contract";
import type { PageLimits } from "@foundry-mcp/contract/paging";
import type { Context } from "../context/context.ts";
import type { Role } from "../context/principal.ts";
import type { LazySchema, Schema, SchemaInput, SchemaOutput } from "../schema/schema.ts";

/** Hints about the effects of an action; sent to clients as annotations. */
export interface ActionHints {
  /** The action changes nothing. @default false */
  readonly readOnly?: boolean | undefined;
  /** Repeating a call with the same arguments has no further effect. @default the value of readOnly */
  readonly idempotent?: boolean | undefined;
  /** The action may delete or overwrite data. @default false */
  readonly destructive?: boolean | undefined;
  /** The action accesses systems outside this server. @default false */
  readonly openWorld?: boolean | undefined;
}

/** An example call of an action; tests run it. */
export interface ActionExample {
  readonly title: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A feature of an action that needs a tier. */
export interface FeatureOptions {
  readonly tier: Tier;
  /** The benefit of the feature, sent as an upgrade hint. */
  readonly reason?: string | undefined;
  /** Below the tier, the call fails with UPGRADE_REQUIRED, or continues without the feature and adds a hint. @default "refuse" */
  readonly below?: "refuse" | "omit" | undefined;
}

/** The command of an action on the command line. `P` is the payload of the action. */
export interface CliPlacement<P extends object = never> {
  /** One or two words, such as `tasks complete`. @default `{tool} {action}` */
  readonly command?: string | undefined;
  /** Alternative commands. */
  readonly aliases?: readonly string[] | undefined;
  /** Positional parameters, in this order. */
  readonly arguments?: readonly string[] | undefined;
  /** Short options by parameter: `{ status: "s" }` for `-s`. */
  readonly short?: Readonly<Record<string, string>> | undefined;
  /** Parameters whose texts are taken literally: `@` and `-` have no meaning in them. */
  readonly literal?: readonly string[] | undefined;
  /** Parameters that take the path of a file, or `-` for stdin; its content is sent. */
  readonly files?: readonly string[] | undefined;
  /** Formats the response for `--human`. @default the format of any payload */
  readonly show?: ((envelope: Envelope<P>, canvas: Canvas) => string | undefined) | undefined;
}

/** The paging of a list action. */
export interface PageOptions extends PageLimits {
  /** The noun for what `limit` counts. @default "Rows" */
  readonly of?: string | undefined;
  /** The key of the payload that holds the rows. @default the only list of the output */
  readonly rows?: string | undefined;
}

/** The declaration of an action without its schemas and handler. */
export interface ActionOptions<P extends object = never> extends ActionHints {
  readonly description?: string | undefined;
  /** Alternative names of the action. */
  readonly aliases?: readonly string[] | undefined;
  /** Alternative names of parameters: old name to current name. */
  readonly parameterAliases?: Readonly<Record<string, string>> | undefined;
  /** A list action: it takes `limit` and `cursor`, and its handler pages with `ctx.page` or returns an envelope with its pagination. */
  readonly page?: PageOptions | undefined;
  /** The deadline of a call. @default the registry's timeoutMs */
  readonly timeoutMs?: number | undefined;
  readonly examples?: readonly ActionExample[] | undefined;
  /** The feature flag that must be on for the action. @default the tool's */
  readonly flag?: string | undefined;
  /** The role that the action needs. @default the tool's, else the lowest if it is read-only and the highest if not */
  readonly role?: Role | undefined;
  /** The tier that the action needs. @default the tool's */
  readonly tier?: Tier | undefined;
  /** Features that need a tier; the handler tests for them with `ctx.feature(name)`. */
  readonly features?: Readonly<Record<string, FeatureOptions>> | undefined;
  /** The command on the command line; false for none. @default `{tool} {action}` */
  readonly cli?: CliPlacement<P> | false | undefined;
  /**
   * The handler returns an MCP tool result, which is sent to MCP clients unchanged, instead of a payload
   * for the envelope. Failures are sent as envelopes nevertheless.
   */
  readonly raw?: boolean | undefined;
}

/** Any object except iterables such as arrays, which are no payloads. */
type AnyObject = object & { readonly [Symbol.iterator]?: never };

/** The output of an action without an output schema: any object, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement returns void
export type AnyPayload = Schema<AnyObject | undefined | void, object>;

/** The payload that a handler returns: the declared one, deeply readonly, so that shared data can be returned. */
export type Payload<O extends Schema> = [AnyPayload] extends [O]
  ? SchemaInput<AnyPayload>
  : DeepReadonly<SchemaInput<O>>;

/**
 * An envelope that a handler returns in place of its payload: it is the answer. TypeScript widens literals
 * on their way through a builder, so members of enums are checked when the handler has run.
 */
export type ReturnedEnvelope<O extends Schema> = Success<Extract<Widened<Payload<O>>, object>> | Failure;

/** The payload as `cli.show` gets it; any record where the output is declared as any object. */
export type ShownPayload<O extends Schema> =
  object extends SchemaOutput<O> ? UnknownRecord : Extract<SchemaOutput<O>, object>;

type DeepReadonly<T> = unknown extends T
  ? T
  : T extends Atomic
    ? T
    : { readonly [K in keyof T]: DeepReadonly<T[K]> };
type Widened<T> = unknown extends T
  ? T
  : T extends string
    ? string
    : T extends number
      ? number
      : T extends boolean
        ? boolean
        : T extends Atomic
          ? T
          : { readonly [K in keyof T]: Widened<T[K]> };
type Atomic =
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
 * The schemas and the handler of an action. `R` is the return type of the handler; it is a type parameter
 * of its own so that the literal `"done"` is not widened where the schema is an enum.
 */
export interface ActionImplementation<I extends Schema, O extends Schema, R extends Payload<O>> {
  /** An object of parameters. @default no parameters */
  readonly input?: LazySchema<I> | undefined;
  /** The payload, always an object. @default any object */
  readonly output?: LazySchema<O> | undefined;
  readonly run: (
    input: SchemaOutput<NoInfer<I>>,
    context: Context,
  ) => R | ReturnedEnvelope<O> | Promise<R | ReturnedEnvelope<O>>;
}

/** The declaration of an action, with the types of its schemas. */
export interface ActionDefinition<I extends Schema, O extends Schema, R extends Payload<O> = Payload<O>>
  extends ActionOptions<ShownPayload<NoInfer<O>>>,
    ActionImplementation<I, O, R> {}

/** An action as the registry stores it, without the types of its schemas. */
export interface Action extends ActionOptions {
  readonly input?: LazySchema | undefined;
  readonly output?: LazySchema | undefined;
  readonly run: (input: never, context: Context) => unknown;
}

/**
 * Declares an action of a tool; the types of its schemas are inferred for the handler.
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

/** Text styles of the terminal; without colours they return the text unchanged. */
export interface Colors {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

/** The output device of a formatted response; `width` is undefined if it is no terminal. */
export interface Canvas {
  readonly width: number | undefined;
  readonly colors: Colors;
}
