import type { ToolCoverage } from "../findings/check-report.ts";
import type { Operation } from "./definition.ts";
import type { Observation } from "./observation.ts";

interface Count {
  calls: number;
  successes: number;
  failures: number;
}

/** The reason why no call of an operation succeeded. */
interface Obstacle {
  readonly reason: string;
  /** True if the requested object does not exist and the server's own list of such objects is empty. */
  readonly hasNoData: boolean;
}

/** Counts successes and failures by tool and action. */
export class Coverage {
  readonly #operations: readonly Operation[];
  readonly #tools = new Map<string, Count>();
  readonly #succeeded = new Set<string>();
  readonly #paged = new Set<string>();
  readonly #obstacles = new Map<string, Obstacle>();
  #answered = 0;

  constructor(operations: readonly Operation[]) {
    this.#operations = operations;
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

  /** Returns the called action if the tool has this action. A parameter named `action` may have another meaning. */
  #actionOf(tool: string, action: unknown): string | undefined {
    return this.#operations.find((operation) => operation.tool === tool && operation.action === action)
      ?.action;
  }

  /** Records the reason why no call of an operation succeeded. */
  explain({ tool, action }: Operation, reason: string, hasNoData = false): void {
    this.#obstacles.set(keyOf(tool, action), { reason, hasNoData });
  }

  /** Returns true if a call of the operation succeeded. */
  hasSucceeded({ tool, action }: Operation): boolean {
    return this.#succeeded.has(keyOf(tool, action));
  }

  /** Returns true if an answer of the tool was a page of a list. */
  hasPages(tool: string): boolean {
    return this.#paged.has(tool);
  }

  /** Returns the coverage of each tool. */
  tools(): ToolCoverage[] {
    return [...this.#tools].map(([tool, { calls, successes, failures }]) => {
      const own = this.#operations.filter((operation) => operation.tool === tool);
      const unseen = own.filter((operation) => !this.hasSucceeded(operation));
      const actions = unseen.flatMap(({ action }) => (action === undefined ? [] : [action]));
      // A tool without parameters cannot be made to fail.
      const isEnough = failures > 0 || hasNoParameters(own);
      const reason = this.#reasonOf(own, unseen, isEnough);
      return {
        tool,
        status: successes > 0 && isEnough ? "checked" : this.#hasNoData(own) ? "no_data" : "not_checked",
        calls,
        successes,
        failures,
        ...(actions.length === 0 ? {} : { unseen_actions: actions }),
        ...(reason === undefined ? {} : { reason }),
      };
    });
  }

  /** Returns true if no read-only operation of the tool succeeded and the only reason was missing data. */
  #hasNoData(own: readonly Operation[]): boolean {
    const readOnly = own.filter(({ isReadOnly }) => isReadOnly);
    const hasNoData = ({ tool, action }: Operation) =>
      this.#obstacles.get(keyOf(tool, action))?.hasNoData === true;
    return readOnly.length > 0 && readOnly.every(hasNoData);
  }

  #reasonOf(own: readonly Operation[], unseen: readonly Operation[], isEnough: boolean): string | undefined {
    const groups = new Map<string, string[]>();
    for (const { tool, action } of unseen) {
      const { reason = "it was not called" } = this.#obstacles.get(keyOf(tool, action)) ?? {};
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
