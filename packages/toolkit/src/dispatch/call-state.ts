import type { Dialect, Tier, WarningDetail } from "@foundry-mcp/contract";
import type { PreparedTool } from "../catalogue/prepared-tool.ts";
import type { Call, Caller } from "../context/call.ts";
import type { Logger } from "../context/logger.ts";
import type { Role } from "../context/principal.ts";
import { type RequestIds, resolveRequestId } from "../context/request-id.ts";
import type { Quota } from "../limits/rate-limiter.ts";
import type { Host } from "./dispatch-deps.ts";
import type { Target } from "./find-action.ts";
import { clientKeyOf, roleOf, tierOf } from "./standing.ts";
import { Observation } from "./telemetry/call-telemetry.ts";

const none: readonly never[] = [];

/** One call on its way: what is known of it, and what the steps found out. */
export class Journey {
  readonly host: Host;
  readonly call: Call;
  readonly caller: Caller;
  readonly ids: RequestIds;
  readonly logger: Logger;
  readonly observation: Observation;
  /** By `performance.now()`. */
  readonly started = performance.now();
  /** Undefined when there is no such tool. */
  readonly tool: PreparedTool | undefined;
  /** Undefined until the action is found. */
  target: Target | undefined = undefined;
  /** The form of the answer. */
  dialect: Dialect;
  /** The token budget that the call asks for; undefined where it names none. */
  askedTokens: number | undefined = undefined;
  /** What is left of the client's quota, where it has one. */
  quota: Quota | undefined = undefined;
  #warnings: WarningDetail[] | undefined = undefined;

  constructor(host: Host, call: Call, caller: Caller) {
    this.host = host;
    this.call = call;
    this.caller = caller;
    this.ids = resolveRequestId(call.requestId);
    this.logger = caller.logger ?? host.logger;
    this.tool = host.catalogue.findTool(call.tool);
    this.dialect = host.dialect;
    this.observation = new Observation(this.logger, call, caller, this.requestId, this.tool?.name);
  }

  get requestId(): string {
    return this.ids.requestId;
  }

  get role(): Role {
    return roleOf(this.host, this.caller);
  }

  get tier(): Tier {
    return tierOf(this.host, this.caller);
  }

  /** The client as flags and limits know it. */
  get clientKey(): string {
    return clientKeyOf(this.caller);
  }

  /** The token budget of the answer: what the call asks for, else its surface, else the server; 0 for none. */
  get maxTokens(): number {
    return this.askedTokens ?? this.caller.maxTokens ?? this.host.budget.maxTokens;
  }

  /** What the steps and the handler warned of. */
  get warnings(): readonly WarningDetail[] {
    return this.#warnings ?? none;
  }

  /** Adds a warning to the answer. */
  warn(detail: WarningDetail): void {
    this.#warnings ??= [];
    this.#warnings.push(detail);
  }

  /** How long it has taken by now: milliseconds with three decimals, as the contract tells them. */
  elapsed(now: number): number {
    return Math.round((now - this.started) * 1_000) / 1_000;
  }
}
