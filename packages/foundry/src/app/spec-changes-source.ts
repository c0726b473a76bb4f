import { createHash } from "node:crypto";
import { isContractError } from "@foundry-mcp/contract";
import type { ChangeSource, SpecState } from "../page/server/change-source.ts";
import type { SpecReader } from "../specs/stores/spec-store.ts";

/** Adapts a store of specs to the interface through which the page learns of changes. */
export function toChangeSource(store: SpecReader): ChangeSource {
  return {
    watch: (listener) => store.watch(listener),
    async readAll() {
      const states = new Map<string, SpecState>();
      const { specs } = await store.list();
      for (const { id, revision, folder } of specs)
        states.set(id, toState({ revision, folder }, [...(await store.leases(id))]));
      return states;
    },
    async read(id) {
      try {
        const { revision, folder } = await store.read(id);
        const leases = [...(await store.leases(id))];
        return toState({ revision, folder }, leases);
      } catch (thrown) {
        if (!isContractError(thrown) || temporary.has(thrown.code)) throw thrown;
        return thrown.code === "SPEC_NOT_FOUND"
          ? toState({ deleted: true })
          : toState({ unreadable: true }, thrown.message);
      }
    },
  };
}

/** The codes of errors after which the same spec may be read again. */
const temporary = new Set(["UNAVAILABLE", "TIMEOUT", "RESOURCE_BUSY"]);

function toState(spec: SpecState["spec"], more: unknown = null): SpecState {
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([spec, more]))
    .digest("base64url");
  return { spec, fingerprint };
}
