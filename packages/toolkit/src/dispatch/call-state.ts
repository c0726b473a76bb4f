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

/** The state of one call on its way through dispatch: what came in, and what the steps have decided. */
export class CallState {
  readonly deps: DispatchDeps;
  readonly call: Call;
  readonly caller: Caller;
  readonly ids: RequestIds;
  readonly logger: Logger;
  readonly telemetry: CallTelemetry;
  /** By `performance.now()`. */
  readonly startedAt = performance.now();
  /** Undefined when there is no such tool. */
  readonly tool: PreparedTool | undefined;
  /** Undefined until the action is found. */
  target: Target | undefined = undefined;
  /** The dialect of the response. */
  dialect: Dialect;
  /** The token budget that the call asks for; undefined where it names none. */
  requestedTokens: number | undefined = undefined;
  /** The client's remaining quota; undefined where no rate limit applies. */
  quota: Quota | undefined = undefined;
  #warnings: WarningDetail[] | undefined = undefined;

  constructor(deps: DispatchDeps, call: Call, caller: Caller) {
    this.deps = deps;
    this.call = call;
    this.caller = caller;
    this.ids = resolveRequestId(call.requestId);
    this.logger = caller.logger ?? deps.logger;
    this.tool = deps.catalogue.findTool(call.tool);
    this.dialect = deps.dialect;
    this.telemetry = new CallTelemetry(this.logger, call, caller, this.requestId, this.tool?.name);
  }

  get requestId(): string {
    return this.ids.requestId;
  }

  /** The owner of everything that the call stores. */
  get principal(): string {
    return this.caller.principal?.id ?? localPrincipal;
  }

  /** The caller's role: the principal's own, else the server's default. */
  get role(): Role {
    return this.caller.principal?.role ?? this.deps.role;
  }

  /** The caller's tier: the principal's own, else the server's default. */
  get tier(): Tier {
    return this.caller.principal?.tier ?? this.deps.tier;
  }

  /** The key under which flags and rate limits know the client: its principal, else its name, else its connection. */
  get clientKey(): string {
    const { principal, client, connection } = this.caller;
    if (principal !== undefined) return principal.id;
    return client.name === "unknown" && connection !== undefined ? `connection ${connection}` : client.name;
  }

  /** The token budget of the response: the call's, else its surface's, else the server's; 0 for no limit. */
  get maxTokens(): number {
    return this.requestedTokens ?? this.caller.maxTokens ?? this.deps.budget.maxTokens;
  }

  /** The warnings of the steps, of the handler and of the server. */
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

  /** The time since the call started: milliseconds with three decimals, as the contract wants them. */
  elapsedMs(now: number): number {
    return Math.round((now - this.startedAt) * 1_000) / 1_000;
  }
}
