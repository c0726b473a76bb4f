import type { RuleLevel } from "@foundry-mcp/contract";

/** The areas of rules; reports and documentation are grouped by them. */
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
  /** A MUST fails a server, a SHOULD warns, a MAY is noted. */
  readonly level: RuleLevel;
  /** A statement that is true for a server that keeps the rule. */
  readonly title: string;
  /** What the author of the server should do about a finding. */
  readonly remedy: string;
  /** Ways to break the rule: a name and what such a server does. The zoo in test/check has a server for each. */
  readonly breaks: Readonly<Record<string, string>>;
}
