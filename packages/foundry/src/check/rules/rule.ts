import type { RuleLevel } from "@foundry-mcp/contract";

/** What a rule is about; reports and documentation are grouped by it. */
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

/** One rule that a server is held to. */
export interface Rule {
  readonly area: Area;
  /** A MUST fails a server, a SHOULD warns, a MAY is noted. */
  readonly level: RuleLevel;
  /** What holds of a server that keeps it. */
  readonly title: string;
  /** What its author should do about a finding. */
  readonly remedy: string;
  /** Ways to break it, each by a name: what such a server does. The zoo in the tests has a server for each. */
  readonly breaks: Readonly<Record<string, string>>;
}
