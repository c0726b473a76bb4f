import { ContractError } from "@foundry-mcp/contract";
import type { Settings } from "../config/settings.ts";
import { ModelFailure } from "../research/model/model-failure.ts";
import type { ModelOptions } from "../research/model/model-options.ts";
import { writeSummary } from "../research/model/write-summary.ts";
import type { ResearchServices } from "../research/runs/research-services.ts";

/** The model that settings name; its key comes from the environment alone. */
export function toModel({ model, model_base_url, model_timeout }: Settings): ModelOptions | undefined {
  if (model === undefined) return undefined;
  const key = process.env["FOUNDRY_MODEL_KEY"];
  return {
    baseUrl: model_base_url,
    model,
    timeoutMs: model_timeout * 1_000,
    ...(key === undefined || key === "" ? {} : { key }),
  };
}

/** What writes the summary of a report: the model, whose failures say why. */
export function toSummarizer(model: ModelOptions): NonNullable<ResearchServices["summarize"]> {
  return async (question, claims, signal) => {
    try {
      return await writeSummary(model, { question, claims }, signal);
    } catch (err) {
      if (!(err instanceof ModelFailure)) throw err;
      throw new ContractError(err.message, {
        errorCode: "DEPENDENCY_UNAVAILABLE",
        details: { dependency: "model", reason: err.reason },
      });
    }
  };
}
