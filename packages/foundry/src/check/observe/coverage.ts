import type { ToolCoverage } from "../findings/check-report.ts";
import type { Subject } from "./definition.ts";
import type { Observation } from "./observation.ts";

interface Count {
  calls: number;
  successes: number;
  failures: number;
  reason?: string;
}

/** Keeps account of which tools and actions were seen to succeed and to fail. */
export class Coverage {
  readonly #subjects: readonly Subject[];
  readonly #tools = new Map<string, Count>();
  readonly #seen = new Set<string>();
  readonly #paged = new Set<string>();
  readonly #reasons = new Map<string, string>();
  #answers = 0;

  constructor(subjects: readonly Subject[]) {
    this.#subjects = subjects;
    for (const { tool } of subjects) this.#tools.set(tool, { calls: 0, successes: 0, failures: 0 });
  }

  /** How many calls were answered. */
  get answers(): number {
    return this.#answers;
  }

  count({ tool, args, outcome, envelope }: Observation): void {
    const count = this.#tools.get(tool);
    if (count === undefined) return;
    count.calls++;
    if (outcome === "success") {
      count.successes++;
      this.#seen.add(keyOf(tool, this.#actionOf(tool, args["action"])));
      if (envelope?.meta.pagination !== undefined) this.#paged.add(tool);
    } else if (outcome === "failure" || outcome === "throttled") count.failures++;
    if (outcome !== "none" && outcome !== "pending") this.#answers++;
  }

  /** The action that was called, where the tool has it: a parameter of that name may be something else. */
  #actionOf(tool: string, action: unknown): string | undefined {
    return this.#subjects.find((subject) => subject.tool === tool && subject.action === action)?.action;
  }

  /** Says why no success of a subject was seen. */
  explain({ tool, action }: Subject, reason: string): void {
    this.#reasons.set(keyOf(tool, action), reason);
  }

  /** True where a success of the subject was seen. */
  isSeen({ tool, action }: Subject): boolean {
    return this.#seen.has(keyOf(tool, action));
  }

  /** True where an answer of the tool was a page. */
  isPaged(tool: string): boolean {
    return this.#paged.has(tool);
  }

  /** How far each tool was exercised. */
  tools(): ToolCoverage[] {
    return [...this.#tools].map(([tool, { calls, successes, failures }]) => {
      const own = this.#subjects.filter((subject) => subject.tool === tool);
      const unseen = own.filter((subject) => !this.isSeen(subject));
      const actions = unseen.flatMap(({ action }) => (action === undefined ? [] : [action]));
      const isChecked = successes > 0 && failures > 0;
      const reason = this.#reasonOf(own, unseen, failures);
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

  #reasonOf(own: readonly Subject[], unseen: readonly Subject[], failures: number): string | undefined {
    const reasons = unseen.map((subject) => {
      const { tool, action } = subject;
      const told = this.#reasons.get(keyOf(tool, action)) ?? "it was not called";
      return own.length === 1 ? told : `${action}: ${told}`;
    });
    if (failures === 0 && unseen.length < own.length) reasons.push("no call of it failed");
    return reasons.length === 0 ? undefined : [...new Set(reasons)].join("; ");
  }
}

function keyOf(tool: string, action: unknown): string {
  return JSON.stringify([tool, typeof action === "string" ? action : null]);
}
