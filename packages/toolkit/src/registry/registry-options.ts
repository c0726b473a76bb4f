import {
  type Dialect,
  dialects,
  type ErrorCatalogue,
  internal,
  type Tier,
  tiers,
  type WarningDetail,
} from "@foundry-mcp/contract";
import { type InputDetail, inputDetails } from "../catalogue/flat-input.ts";
import { type OutputDetail, outputDetails } from "../catalogue/output-schema.ts";
import type { Logger } from "../context/logger.ts";
import type { Role } from "../context/principal.ts";
import { defaultRoles, highestRole, requireRoles } from "../context/roles.ts";
import type { Prompt } from "../define/prompt.ts";
import type { Resource } from "../define/resource.ts";
import type { Tool } from "../define/tool.ts";
import type { ConcurrencyLimits } from "../dispatch/concurrency.ts";
import type { Budget } from "../dispatch/dispatch-deps.ts";
import type { Flags } from "../flags/flags.ts";
import type { JobStore } from "../jobs/job-store.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import { requireAtLeast, requireOneOf } from "../options/require-option.ts";
import type { Compatibility } from "./compatibility.ts";
import type { HealthChecks } from "./health.ts";

/** The options of a server; all options except name and version have a default. */
export interface RegistryOptions {
  readonly name: string;
  readonly version: string;
  readonly title?: string | undefined;
  /** Instructions on how to use the server's tools together; sent to each client once. */
  readonly instructions?: string | undefined;
  readonly tools?: readonly Tool[] | undefined;
  readonly resources?: readonly Resource[] | undefined;
  readonly prompts?: readonly Prompt[] | undefined;
  /** @default no log; servers started with `serveStdio` and `serveHttp` write to stderr */
  readonly logger?: Logger | undefined;
  /**
   * The dialect of responses; clients may request another dialect from `dialects`.
   * @default the first of `dialects`
   */
  readonly dialect?: Dialect | undefined;
  /**
   * The dialects that clients may request.
   * @default only `dialect` if that option is given, otherwise all dialects
   */
  readonly dialects?: readonly Dialect[] | undefined;
  /**
   * The roles of the server, lowest first; each role includes the rights of the preceding roles.
   * @default observer and maintainer
   */
  readonly roles?: readonly Role[] | undefined;
  /** The role of callers whose principal has no role. @default the highest of `roles` */
  readonly role?: Role | undefined;
  /** The tier of callers whose principal has no tier. @default "community" */
  readonly tier?: Tier | undefined;
  /**
   * Evaluates the flags that tools declare; created by `openFlags` of the entry point `/flags`.
   * @default every flag is off
   */
  readonly flags?: Flags | undefined;
  /**
   * Limits calls per client and tool; created by `createRateLimiter` of the entry point `/limits`.
   * @default no limits
   */
  readonly rateLimiter?: RateLimiter | undefined;
  /**
   * The token budget of responses, and the archive for content that is left out.
   * @default 20,000 tokens, no archive
   */
  readonly budget?: Partial<Budget> | undefined;
  /** The time limit of a call in milliseconds. @default 60,000 */
  readonly timeoutMs?: number | undefined;
  /** The maximum numbers of running and waiting calls. @default 256 running, 1,024 waiting */
  readonly concurrency?: Partial<ConcurrencyLimits> | undefined;
  /**
   * The store of jobs: calls of actions that declare `task` run as jobs for MCP clients that can follow them. Created
   * by `createMemoryJobs` of the entry point `/jobs`.
   * @default no jobs: every call is answered when its handler ends
   */
  readonly jobs?: JobStore | undefined;
  /** Validates payloads against their declared output. @default true unless NODE_ENV is production */
  readonly validateOutput?: boolean | undefined;
  /**
   * The level of detail with which tool definitions describe the parameters of tools with actions.
   * @default "full"
   */
  readonly inputDetail?: InputDetail | undefined;
  /** The level of detail with which tool definitions describe responses. @default "full" */
  readonly outputDetail?: OutputDetail | undefined;
  /** The maximum length of a result in characters, announced to clients in the tool definitions. @default 200,000 */
  readonly maxResultSizeChars?: number | undefined;
  /** The server's own error codes; created by `defineErrors`. @default only the codes of the contract */
  readonly errors?: ErrorCatalogue | undefined;
  /** True adds the built-in tool `server`. @default true */
  readonly serverTool?: boolean | undefined;
  /** True adds the built-in tool `content`. @default true if `budget` has an archive */
  readonly contentTool?: boolean | undefined;
  /**
   * Tools that exist but are not enabled on this server; each value says how to enable the tool, such as "start the
   * server with --tools all".
   */
  readonly unserved?: Readonly<Record<string, string>> | undefined;
  /** Names of another server's tools, actions and parameters that calls may use. @default none */
  readonly compatibility?: Compatibility | undefined;
  /** Health checks that must pass for the server to be ready; a check throws when it fails. */
  readonly health?: HealthChecks | undefined;
  /** Returns warnings for every response; called after the handler has run. @default no warnings */
  readonly warnings?: (() => readonly WarningDetail[]) | undefined;
  /**
   * Announces prompts and resources even if there are none yet, because they are added while the server runs.
   * @default false
   */
  readonly announcesAll?: boolean | undefined;
  /** Awaited before tools, prompts or resources are listed, for servers that add them while they start. */
  readonly prepare?: (() => Promise<void> | undefined) | undefined;
  /** Returns additional facts for `server(action="context")`. */
  readonly describe?: (() => object | Promise<object>) | undefined;
}

/** The options with the defaults filled in. */
export interface ResolvedOptions extends RegistryOptions {
  readonly dialect: Dialect;
  readonly dialects: readonly Dialect[];
  readonly roles: readonly Role[];
  readonly role: Role;
  readonly tier: Tier;
  readonly budget: Budget;
  readonly timeoutMs: number;
  readonly concurrency: ConcurrencyLimits;
  readonly validateOutput: boolean;
  readonly inputDetail: InputDetail;
  readonly outputDetail: OutputDetail;
  readonly maxResultSizeChars: number;
  readonly serverTool: boolean;
  readonly contentTool: boolean;
}

const defaults = {
  dialect: "response-v2",
  roles: defaultRoles,
  tier: "community",
  timeoutMs: 60_000,
  inputDetail: "full",
  outputDetail: "full",
  maxResultSizeChars: 200_000,
  serverTool: true,
} as const;

const defaultTokens = 20_000;
const defaultConcurrency: ConcurrencyLimits = { running: 256, waiting: 1_024 };

/**
 * Fills in the defaults; an option whose value is undefined gets its default, and an invalid option is an
 * error.
 */
export function resolveOptions(given: RegistryOptions): ResolvedOptions {
  const options = {
    ...defaults,
    validateOutput: process.env["NODE_ENV"] !== "production",
    dialects: given.dialect === undefined ? dialects : [given.dialect],
    dialect: given.dialects?.[0] ?? defaults.dialect,
    role: highestRole(given.roles ?? defaultRoles),
    contentTool: given.budget?.archive !== undefined,
    ...withoutUndefined(given),
    budget: { maxTokens: defaultTokens, ...withoutUndefined(given.budget ?? {}) },
    concurrency: { ...defaultConcurrency, ...withoutUndefined(given.concurrency ?? {}) },
  } as ResolvedOptions;
  if (options.dialects.length === 0) throw internal("Cannot create a registry: dialects is empty");
  requireOneOf(dialects, { dialect: options.dialect }, refuse);
  for (const dialect of options.dialects) requireOneOf(dialects, { dialects: dialect }, refuse);
  requireOneOf(options.dialects, { dialect: options.dialect }, refuse);
  requireRoles(options.roles, refuse);
  requireOneOf(options.roles, { role: options.role }, refuse);
  requireOneOf(tiers, { tier: options.tier }, refuse);
  for (const key of ["name", "version"] as const) {
    if (typeof options[key] !== "string" || options[key] === "") {
      throw internal(`Cannot create a registry: ${key} must be a text that is not empty`);
    }
  }
  requireOneOf(inputDetails, { inputDetail: options.inputDetail }, refuse);
  requireOneOf(outputDetails, { outputDetail: options.outputDetail }, refuse);
  const { timeoutMs, maxResultSizeChars, concurrency } = options;
  requireAtLeast(1, { timeoutMs, maxResultSizeChars, "concurrency.running": concurrency.running }, refuse);
  requireAtLeast(
    0,
    {
      "concurrency.waiting": concurrency.waiting,
      "budget.maxTokens": options.budget.maxTokens,
    },
    refuse,
  );
  checkBudget(options.budget);
  requireMethod("flags", options.flags, "evaluate");
  requireMethod("rateLimiter", options.rateLimiter, "take");
  requireMethod("jobs", options.jobs, "claim");
  requireMethod("budget.archive", options.budget.archive, "put");
  if (options.contentTool && options.budget.archive === undefined) {
    throw internal("Cannot create a registry: contentTool needs budget.archive");
  }
  return options;
}

function withoutUndefined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

const budgetKeys = ["maxTokens", "countTokens", "archive"];

function checkBudget(budget: Budget): void {
  const { maxTokens, countTokens } = budget;
  const unknown = Object.keys(budget).find((key) => !budgetKeys.includes(key));
  if (unknown !== undefined) throw internal(`Cannot create a registry: budget has no option ${unknown}`);
  if (!Number.isSafeInteger(maxTokens)) {
    throw internal(`Cannot create a registry: budget.maxTokens is ${maxTokens}, not a whole number`);
  }
  if (countTokens !== undefined && typeof countTokens !== "function") {
    throw internal("Cannot create a registry: budget.countTokens is no function");
  }
}

function requireMethod(name: string, value: object | undefined, method: string): void {
  if (value === undefined || typeof Reflect.get(value, method) === "function") return;
  throw internal(`Cannot create a registry: ${name} has no method ${method}`);
}

function refuse(fault: string, remediation: string): Error {
  return internal(`Cannot create a registry: ${fault}`, { remediation });
}
