import { rootId } from "../model/spec-document.ts";
import type { SpecSnapshot, SpecSummary } from "./spec-store.ts";

/** What a list tells of a spec. */
export function toSummary({ id, folder, path, revision, model }: SpecSnapshot): SpecSummary {
  const { last_updated: updated } = model.fields;
  return {
    id,
    folder,
    path,
    revision,
    title: model.title || id,
    progress: model.tally(rootId),
    updated: typeof updated === "string" ? updated : undefined,
  };
}
