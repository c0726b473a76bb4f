import { createHash } from "node:crypto";
import { type ContractError, isContractError } from "@foundry-mcp/contract";
import type { ChangeSource, SpecState } from "../page/server/change-source.ts";
import type { SpecReader } from "../specs/stores/spec-store.ts";

/** Adapts a store of specs to the interface through which the page learns of changes. */
export function toChangeSource(store: SpecReader): ChangeSource {
  return {
    watch: (listener) => store.watch(listener),
    async readAll() {
      const states = new Map<string, SpecState>();
      const { specs } = await store.list();
      for (const { id, revision, folder } of specs.filter(isActive).slice(0, maxStates)) {
        const leases = await store.leases(id).catch(unlessTemporary);
        if (leases !== undefined) states.set(id, toState({ revision, folder }, [...leases]));
      }
      return states;
    },
    async read(id) {
      try {
        const { revision, folder } = await store.read(id);
        const leases = [...(await store.leases(id))];
        return toState({ revision, folder }, leases);
      } catch (thrown) {
        unlessTemporary(thrown);
        const { code, message } = thrown as ContractError;
        return code === "SPEC_NOT_FOUND"
          ? toState({ deleted: true })
          : toState({ unreadable: true }, message);
      }
    },
  };
}

/**
 * The maximum number of specs whose states are read at the start, because reading leases reads the whole spec. The first
 * notice about any other spec counts as a change.
 */
const maxStates = 40;
const isActive = ({ folder }: { readonly folder: string }) => folder === "active";

/** Throws an error again if the same spec may be read later, or if the error is a fault of this program. */
function unlessTemporary(thrown: unknown): undefined {
  if (!isContractError(thrown) || temporary.has(thrown.code)) throw thrown;
}

/** The codes of errors after which the same spec may be read again. */
const temporary = new Set(["UNAVAILABLE", "TIMEOUT", "RESOURCE_BUSY"]);

function toState(spec: SpecState["spec"], more: unknown = null): SpecState {
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([spec, more]))
    .digest("base64url");
  return { spec, fingerprint };
}
