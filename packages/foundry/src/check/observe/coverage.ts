import type { ToolCoverage } from "../findings/check-report.ts";
import type { Operation } from "./definition.ts";
import type { Observation } from "./observation.ts";

interface Count {
  calls: number;
  successes: number;
  failures: number;
}

/** Options of a coverage. */
export interface CoverageOptions {
  /** True if a tool without parameters, which nothing can make fail, is checked by its successes alone. */
  readonly trustsSuccess?: boolean | undefined;
}

/** Counts successes and failures by tool and action. */
export class Coverage {
  readonly #operations: readonly Operation[];
  readonly #options: CoverageOptions;
  readonly #tools = new Map<string, Count>();
  readonly #succeeded = new Set<string>();
  readonly #paged = new Set<string>();
  readonly #reasons = new Map<string, string>();
  #answered = 0;

  constructor(operations: readonly Operation[], options: CoverageOptions = {}) {
    this.#operations = operations;
    this.#options = options;
    for (const { tool } of operations) this.#tools.set(tool, { calls: 0, successes: 0, failures: 0 });
  }

  /** The number of answered calls. */
  get answered(): number {
    return this.#answered;
  }

  add({ tool, args, outcome, envelope }: Observation): void {
    const count = this.#tools.get(tool);
    if (count === undefined) return;
    count.calls++;
    if (outcome === "success") {
      count.successes++;
      this.#succeeded.add(keyOf(tool, this.#actionOf(tool, args["action"])));
      if (envelope?.meta.pagination !== undefined) this.#paged.add(tool);
    } else if (outcome === "failure" || outcome === "throttled") count.failures++;
    if (outcome !== "none" && outcome !== "pending") this.#answered++;
  }

  /** The called action, if the tool has it: a parameter named action may be something else. */
  #actionOf(tool: string, action: unknown): string | undefined {
    return this.#operations.find((operation) => operation.tool === tool && operation.action === action)
      ?.action;
  }

  /** Records why no call of an operation succeeded. */
  explain({ tool, action }: Operation, reason: string): void {
    this.#reasons.set(keyOf(tool, action), reason);
  }

  /** Returns true if a call of the operation succeeded. */
  hasSucceeded({ tool, action }: Operation): boolean {
    return this.#succeeded.has(keyOf(tool, action));
  }

  /** Returns true if an answer of the tool was a page of a list. */
  hasPages(tool: string): boolean {
    return this.#paged.has(tool);
  }

  /** Returns how far each tool was exercised. */
  tools(): ToolCoverage[] {
    return [...this.#tools].map(([tool, { calls, successes, failures }]) => {
      const own = this.#operations.filter((operation) => operation.tool === tool);
      const unseen = own.filter((operation) => !this.hasSucceeded(operation));
      const actions = unseen.flatMap(({ action }) => (action === undefined ? [] : [action]));
      const isEnough = failures > 0 || (this.#options.trustsSuccess === true && hasNoParameters(own));
      const isChecked = successes > 0 && isEnough;
      const reason = this.#reasonOf(own, unseen, isEnough);
      return {
        tool,
        status: isChecked ? "checked" : "not_checked",
        calls,
        successes,
        failures,
        ...(actions.length === 0 ? {} : { unseen_actions: actions }),
        ...(reason === undefined ? {} : { reason }),
      };
    });
  }

  #reasonOf(own: readonly Operation[], unseen: readonly Operation[], isEnough: boolean): string | undefined {
    const groups = new Map<string, string[]>();
    for (const { tool, action } of unseen) {
      const reason = this.#reasons.get(keyOf(tool, action)) ?? "it was not called";
      groups.set(reason, [...(groups.get(reason) ?? []), action ?? tool]);
    }
    const reasons = [...groups].map(([reason, actions]) =>
      own.length === 1 ? reason : `${actions.join(", ")}: ${reason}`,
    );
    if (!isEnough && unseen.length < own.length) reasons.push("no call of it failed");
    return reasons.length === 0 ? undefined : [...new Set(reasons)].join("; ");
  }
}

function hasNoParameters(operations: readonly Operation[]): boolean {
  return operations.every(({ definition }) => definition.parameters.length === 0);
}

function keyOf(tool: string, action: unknown): string {
  return JSON.stringify([tool, typeof action === "string" ? action : null]);
}
