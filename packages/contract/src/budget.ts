// Budgets: answers that fit a number of tokens, what they lack, and an upper bound that counts them.

export {
  type ArchiveReference,
  type Dropped,
  type FitOptions,
  type FitResult,
  fitToBudget,
  type PagedList,
  type TokenCounter,
} from "./fidelity/fit-to-budget.ts";
export type { DroppedPart } from "./fidelity/reduce-data.ts";
export { estimateTokens } from "./tokens/estimate-tokens.ts";
