// Token budgets: functions that fit a response into a number of tokens, name the dropped content, and compute an upper
// bound of a text's tokens.

export type {
  ArchiveReference,
  Dropped,
  FitOptions,
  FitResult,
  PagedList,
  TokenCounter,
} from "./budget/budget-options.ts";
export { fitToBudget } from "./budget/fit-to-budget.ts";
export type { DroppedPart } from "./budget/reduce-data.ts";
export { ownIdOf } from "./budget/reduction-levels.ts";
export { estimateTokens } from "./tokens/estimate-tokens.ts";
