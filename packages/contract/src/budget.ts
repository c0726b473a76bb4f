// Budgets: responses that fit a number of tokens, their dropped content, and an upper bound of token counts.

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
