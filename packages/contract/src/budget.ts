// Budgets: answers that fit a number of tokens, what they lack, and an upper bound that counts them.

export type {
  ArchiveReference,
  Dropped,
  FitOptions,
  FitResult,
  PagedList,
  TokenCounter,
} from "./fidelity/budget-options.ts";
export { fitToBudget } from "./fidelity/fit-to-budget.ts";
export type { DroppedPart } from "./fidelity/reduce-data.ts";
export { ownIdOf } from "./fidelity/reduction-levels.ts";
export { estimateTokens } from "./tokens/estimate-tokens.ts";
