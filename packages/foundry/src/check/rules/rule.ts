import type { RuleLevel } from "@foundry-mcp/contract";

/** The areas of rules, by which reports and documentation are grouped. */
export const areas = {
  "response-v2": "The shape of a response-v2 envelope",
  "envelope-v1": "The shape of an envelope-v1 envelope",
  "response-v1": "The shape of a response-v1 answer",
  definitions: "Tool definitions",
  answers: "How answers travel",
  refusals: "How bad calls are refused",
  paging: "Lists and their pages",
  fidelity: "Answers that leave something out",
} as const;

/** The area of a rule. */
export type Area = keyof typeof areas;

/** One rule that a server is checked against. */
export interface Rule {
  readonly area: Area;
  /**
   * The level of the rule. A broken MUST fails the server, a broken SHOULD is a warning, and a broken MAY is noted.
   */
  readonly level: RuleLevel;
  /** A statement that is true for a server that satisfies the rule. */
  readonly title: string;
  /** The correction that the author of the server should make after a finding. */
  readonly remedy: string;
  /**
   * Ways to break the rule. Each way has a name, and a description of a server that breaks the rule. The test folder
   * test/check has a server for each way.
   */
  readonly breaks: Readonly<Record<string, string>>;
}
