import type {
  DescribeRemedy,
  Dialect,
  Envelope,
  Failure,
  Success,
  Tier,
  UnknownRecord,
} from "@foundry-mcp/contract";
import type { PageLimits } from "@foundry-mcp/contract/paging";
import type { Context } from "../context/context.ts";
import type { TaskSupport } from "../context/job-call.ts";
import type { Role } from "../context/principal.ts";
import type { LazySchema, Schema, SchemaInput, SchemaOutput } from "../schema/schema.ts";

/** Hints about the effects of an action, sent to clients as tool annotations. */
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

/** A part of an action that is available only in some tiers. */
export interface FeatureOptions {
  readonly tier: Tier;
  /** The benefit of the feature, sent as an upgrade hint. */
  readonly reason?: string | undefined;
  /**
   * The behavior for callers below the required tier: "refuse" fails the call with UPGRADE_REQUIRED, "omit"
   * continues without the feature and adds a hint.
   * @default "refuse"
   */
  readonly below?: "refuse" | "omit" | undefined;
}

/** Help texts for people at a terminal, for cases in which the descriptions for models are too short. */
export interface CliHelp {
  /** The summary of the command. @default the description of the action */
  readonly summary?: string | undefined;
  /**
   * The texts of options and arguments by the name of their parameter; other names are ignored.
   * @default the description of the parameter
   */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}

/** The form of an action on the command line. `P` is the payload type of the action. */
export interface CliPlacement<P extends object = never> {
  /** One or two words, such as `tasks complete`. @default `{tool} {action}` */
  readonly command?: string | undefined;
  /** Alternative commands. */
  readonly aliases?: readonly string[] | undefined;
  /** Help texts for people. @default the descriptions of the action and its parameters */
  readonly help?: CliHelp | undefined;
  /** Positional parameters, in this order. */
  readonly arguments?: readonly string[] | undefined;
  /** Short options by parameter: `{ status: "s" }` for `-s`. */
  readonly short?: Readonly<Record<string, string>> | undefined;
  /** Parameters whose values are taken literally: `@` and `-` have no special meaning. */
  readonly literal?: readonly string[] | undefined;
  /** Parameters that take the path of a file, or `-` for stdin; its content is sent. */
  readonly files?: readonly string[] | undefined;
  /** Formats the response for people. @default a general format for any payload */
  readonly show?: ((envelope: Envelope<P>, canvas: Canvas) => string | undefined) | undefined;
}

/** The paging of a list action. */
export interface PageOptions extends PageLimits {
  /** The plural noun for the items that `limit` counts. @default "Rows" */
  readonly of?: string | undefined;
  /** The key of the rows in the payload. @default the key of the output's only list */
  readonly rows?: string | undefined;
}

/** The declaration of an action without its schemas and handler. */
export interface ActionOptions<P extends object = never> extends ActionHints {
  readonly description?: string | undefined;
  /** Alternative names of the action. */
  readonly aliases?: readonly string[] | undefined;
  /** Alternative names of parameters; the key is the old name and the value the current name. */
  readonly parameterAliases?: Readonly<Record<string, string>> | undefined;
  /**
   * Makes the action a list action with the parameters `limit` and `cursor`. The handler returns pages with
   * `ctx.page`, or an envelope with pagination.
   */
  readonly page?: PageOptions | undefined;
  /**
   * The keys of lists in the payload whose items a token budget keeps whole or drops, such as quotes that are verified.
   * An item is shortened only if not even one item fits.
   */
  readonly wholeLists?: readonly string[] | undefined;
  /** The time limit of a call in milliseconds. @default the `timeoutMs` of the registry */
  readonly timeoutMs?: number | undefined;
  /**
   * Whether calls run as jobs, which MCP calls tasks: "optional" for clients that can follow a job, "required" for
   * actions that MCP clients can call only as jobs. The other surfaces wait for the result in every case. The
   * registry needs the option `jobs`.
   * @default "never"
   */
  readonly task?: TaskSupport | undefined;
  /**
   * True if the handler, run again after an interruption, goes on where it was interrupted. A job of an action that
   * is neither resumable nor idempotent fails when its process ends.
   * @default false
   */
  readonly resumable?: boolean | undefined;
  /**
   * True if the job begins where the handler calls `ctx.detach()`, and not before the handler: questions before that
   * are asked while the client waits.
   * @default false
   */
  readonly detaches?: boolean | undefined;
  readonly examples?: readonly ActionExample[] | undefined;
  /** The feature flag that must be on for the action. @default the flag of the tool */
  readonly flag?: string | undefined;
  /**
   * The role that the action needs.
   * @default the role of the tool, otherwise the lowest role if the action is read-only and the highest if not
   */
  readonly role?: Role | undefined;
  /** The tier that the action needs. @default the tier of the tool */
  readonly tier?: Tier | undefined;
  /** Features that only some tiers include; the handler tests for a feature with `ctx.feature(name)`. */
  readonly features?: Readonly<Record<string, FeatureOptions>> | undefined;
  /** The command of the action on the command line; false for no command. @default `{tool} {action}` */
  readonly cli?: CliPlacement<P> | false | undefined;
  /**
   * The handler returns an MCP tool result, which is sent to MCP clients unchanged, instead of a payload
   * for the envelope. Failures are sent as envelopes nevertheless.
   */
  readonly raw?: boolean | undefined;
  /**
   * True for an action of another server, which checks the arguments itself: the handler receives the arguments as
   * they were sent, and a parameter of that server replaces the parameter `limit`, `cursor` or `max_tokens` of
   * the same name. With `page`, the handler pages only the lists that it finds.
   * @default false
   */
  readonly isForeign?: boolean | undefined;
  /** The token budget of answers to calls that set none. @default the budget of the registry */
  readonly maxTokens?: number | undefined;
  /** The dialect of answers to callers that chose none. @default the dialect of the registry */
  readonly dialect?: Dialect | undefined;
}

/** Any object except iterables such as arrays, which are not valid payloads. */
type AnyObject = object & { readonly [Symbol.iterator]?: never };

/** The output of an action without an output schema: any object, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement returns void
export type AnyPayload = Schema<AnyObject | undefined | void, object>;

/**
 * The payload type that a handler returns: the declared output made deeply readonly, so that handlers can return
 * shared data.
 */
export type Payload<O extends Schema> = [AnyPayload] extends [O]
  ? SchemaInput<AnyPayload>
  : DeepReadonly<SchemaInput<O>>;

/**
 * An envelope that a handler returns instead of a payload. TypeScript widens literals that pass through a builder,
 * so the values of enums are checked at run time.
 */
export type ReturnedEnvelope<O extends Schema> = Success<Extract<Widened<Payload<O>>, object>> | Failure;

/** The payload type that `cli.show` receives; any record if the output is declared as any object. */
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
 * The schemas and the handler of an action. `R` is the return type of the handler; it is a separate type parameter
 * so that a literal such as `"done"` is not widened if the schema is an enum.
 */
export interface ActionImplementation<I extends Schema, O extends Schema, R extends Payload<O>> {
  /** The schema of the parameters, which must describe an object. @default no parameters */
  readonly input?: LazySchema<I> | undefined;
  /** The schema of the payload, which must describe an object. @default any object */
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

/** Functions that apply terminal text styles; if colours are off, they return the text unchanged. */
export interface Colors {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
}

/** The output device of a formatted response; `width` is undefined if the output is not a terminal. */
export interface Canvas {
  readonly width: number | undefined;
  readonly colors: Colors;
  /** False if the locale is not UTF-8: views then draw lines and symbols in ASCII. @default true */
  readonly unicode?: boolean | undefined;
  /** The current time from which ages are computed, ISO 8601. @default the system clock */
  readonly now?: string | undefined;
  /** Formats a remedy as a command that can be pasted. @default the form of a call over MCP */
  readonly describeRemedy?: DescribeRemedy | undefined;
}
