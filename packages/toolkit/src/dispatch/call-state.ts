import type { Dialect, Tier, WarningDetail } from "@foundry-mcp/contract";
import type { PreparedTool } from "../catalogue/prepared-tool.ts";
import type { Call, Caller } from "../context/call.ts";
import type { Logger } from "../context/logger.ts";
import { localPrincipal, type Role } from "../context/principal.ts";
import { type RequestIds, resolveRequestId } from "../context/request-id.ts";
import type { Quota } from "../limits/rate-limiter.ts";
import type { DispatchDeps } from "./dispatch-deps.ts";
import type { Target } from "./find-action.ts";
import { addWarning } from "./reading-warning.ts";
import { CallTelemetry } from "./telemetry/call-telemetry.ts";

const none: readonly never[] = [];

/** The state of one call during dispatch: the call's input, and the decisions of the dispatch steps. */
export class CallState {
  readonly deps: DispatchDeps;
  readonly call: Call;
  readonly caller: Caller;
  readonly ids: RequestIds;
  readonly logger: Logger;
  readonly telemetry: CallTelemetry;
  /** The start time by `performance.now()`. */
  readonly startedAt = performance.now();
  /** The called tool; undefined if the tool does not exist. */
  readonly tool: PreparedTool | undefined;
  /** The called action; undefined until it is found. */
  target: Target | undefined = undefined;
  /** The dialect of the response. */
  dialect: Dialect;
  /** The token budget set by the call; undefined if the call sets none. */
  requestedTokens: number | undefined = undefined;
  /** The client's remaining quota; undefined if no rate limit applies. */
  quota: Quota | undefined = undefined;
  #warnings: WarningDetail[] | undefined = undefined;

  constructor(deps: DispatchDeps, call: Call, caller: Caller) {
    this.deps = deps;
    this.call = call;
    this.caller = caller;
    this.ids = resolveRequestId(call.requestId);
    this.logger = caller.logger ?? deps.logger;
    const { catalogue } = deps;
    this.tool =
      catalogue.findTool(call.tool, caller.surface) ??
      (call.refusedBy === undefined ? undefined : catalogue.findTool(call.refusedBy, caller.surface));
    this.dialect = deps.dialect;
    if (call.warnings !== undefined) this.#warnings = call.warnings.map((message) => ({ message }));
    this.telemetry = new CallTelemetry(this.logger, call, caller, this.requestId, this.tool?.name);
  }

  get requestId(): string {
    return this.ids.requestId;
  }

  /** The id of the principal that owns everything that the call stores. */
  get principal(): string {
    return this.caller.principal?.id ?? localPrincipal;
  }

  /** The caller's role: the principal's role, otherwise the server's default. */
  get role(): Role {
    return this.caller.principal?.role ?? this.deps.role;
  }

  /** The caller's tier: the principal's tier, otherwise the server's default. */
  get tier(): Tier {
    return this.caller.principal?.tier ?? this.deps.tier;
  }

  /**
   * The key of the client for flags and rate limits: the principal, otherwise the client's name, or the connection
   * id if the name is unknown.
   */
  get clientKey(): string {
    const { principal, client, connection } = this.caller;
    if (principal !== undefined) return principal.id;
    return client.name === "unknown" && connection !== undefined ? `connection ${connection}` : client.name;
  }

  /**
   * The token budget of the response, set by the call, the surface, the action or the server, in this order of
   * precedence; 0 for no limit.
   */
  get maxTokens(): number {
    const ofAction = this.target?.action.definition.maxTokens;
    return this.requestedTokens ?? this.caller.maxTokens ?? ofAction ?? this.deps.budget.maxTokens;
  }

  /** The warnings of the dispatch steps, the handler and the server. */
  get warnings(): readonly WarningDetail[] {
    const own = this.#warnings ?? none;
    const ofServer = this.deps.warnings?.() ?? none;
    return ofServer.length === 0 ? own : [...own, ...ofServer];
  }

  /** Adds a warning to the response. */
  warn(detail: WarningDetail): void {
    this.#warnings ??= [];
    addWarning(this.#warnings, detail);
  }

  /** Returns the time since the call started in milliseconds, rounded to three decimals as the contract requires. */
  elapsedMs(now: number): number {
    return Math.round((now - this.startedAt) * 1_000) / 1_000;
  }
}
