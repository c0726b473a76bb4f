import { answerRules } from "./answer-rules.ts";
import { definitionRules } from "./definition-rules.ts";
import { fidelityRules } from "./fidelity-rules.ts";
import { pagingRules } from "./paging-rules.ts";
import { refusalRules } from "./refusal-rules.ts";
import type { Rule } from "./rule.ts";
import { shapeRules } from "./shape-rules.ts";

/** Every rule of the checker by its id. */
export const rules = {
  ...shapeRules,
  ...definitionRules,
  ...answerRules,
  ...refusalRules,
  ...pagingRules,
  ...fidelityRules,
} as const satisfies Readonly<Record<string, Rule>>;

/** The id of a rule of the checker. */
export type CheckerRuleId = keyof typeof rules;

/** The rule ids in the order of the table. */
export const ruleIds = Object.keys(rules) as readonly CheckerRuleId[];
