import { isContractError } from "@foundry-mcp/contract";
import type { SpecModel } from "../../model/spec-model.ts";
import { parseSpecFile } from "../../stores/spec-file.ts";
import type { SpecReader, SpecSnapshot } from "../../stores/spec-store.ts";

/** The revisions that were sent last, so that a reader who follows a spec need not wait for its history. */
export interface SentRevisions {
  remember(snapshot: SpecSnapshot): void;
  /** Returns the spec at a revision; undefined if neither the memory nor the history has it. */
  find(store: SpecReader, id: string, revision: string): Promise<SpecModel | undefined>;
}

/** The number is small, because each revision that another process wrote is a spec of its own in memory. */
const maxRevisions = 8;

/** Creates an empty memory. */
export function createSentRevisions(): SentRevisions {
  const models = new Map<string, SpecModel>();
  return {
    remember({ id, revision, model }) {
      const key = toKey(id, revision);
      models.delete(key);
      models.set(key, model);
      for (const oldest of models.keys()) {
        if (models.size <= maxRevisions) break;
        models.delete(oldest);
      }
    },
    async find(store, id, revision) {
      const known = models.get(toKey(id, revision));
      if (known !== undefined) return known;
      try {
        const text = await store.readRevision(id, revision);
        return parseSpecFile(Buffer.from(text), `${id} at revision ${revision}`).model;
      } catch (thrown) {
        if (isContractError(thrown) && (thrown.code === "NOT_FOUND" || thrown.code === "INVALID_FORMAT"))
          return undefined;
        throw thrown;
      }
    },
  };
}

function toKey(id: string, revision: string): string {
  return JSON.stringify([id, revision]);
}
