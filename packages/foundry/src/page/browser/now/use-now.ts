import { useEffect, useState } from "preact/hooks";
import type { CallError } from "../api/envelope.ts";
import type { Claim } from "../state/claims.ts";
import { followChanges } from "../state/connection.ts";
import { specList } from "../state/spec-list.ts";
import { useStore } from "../state/store.ts";
import { readClaims, readSpecNow, type SpecNow } from "./read-now.ts";

/** What happens in the workspace. */
export interface Now {
  readonly isReady: boolean;
  readonly claims: readonly Claim[];
  readonly specs: readonly SpecNow[];
  /** The number of active specs beyond those that are shown. */
  readonly more: number;
  readonly error?: CallError | undefined;
}

/** Reading a spec takes several calls, so only the active specs that changed last are shown. */
const maxSpecs = 12;
/** Changes that arrive together are read together. */
const gatherMs = 120;

/**
 * Reads the active specs, and reads them again when they change. A change of a spec reads that spec again, and the
 * claims.
 */
export function useNow(): Now {
  const { specs, state } = useStore(specList);
  const active = specs
    .filter(({ status }) => status === "active")
    .toSorted((a, b) => (b.last_updated ?? "").localeCompare(a.last_updated ?? ""));
  const shown = active.slice(0, maxSpecs);
  const [claims, setClaims] = useState<readonly Claim[] | undefined>();
  const [error, setError] = useState<CallError>();
  const [read, setRead] = useState<ReadonlyMap<string, SpecNow>>(new Map());
  const ids = shown.map(({ id }) => id);

  useEffect(() => {
    let isEnded = false;
    const readOne = async (id: string) => {
      const row = specList.get().specs.find((spec) => spec.id === id);
      if (row === undefined) return;
      const now = await readSpecNow(row);
      if (!isEnded) setRead((before) => new Map([...before, [id, now]]));
    };
    const readAllClaims = async () => {
      const answer = await readClaims();
      if (isEnded) return;
      if ("code" in answer) setError(answer);
      else {
        setError(undefined);
        setClaims(answer);
      }
    };
    const readAll = () => Promise.all([readAllClaims(), ...ids.map(readOne)]);
    void readAll();
    const changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = followChanges({
      onChange({ specId }) {
        changed.add(specId);
        timer ??= setTimeout(() => {
          timer = undefined;
          void readAllClaims();
          for (const id of changed) if (ids.includes(id)) void readOne(id);
          changed.clear();
        }, gatherMs);
      },
      onGap: () => void readAll(),
    });
    return () => {
      isEnded = true;
      clearTimeout(timer);
      end();
    };
  }, [ids.toSorted().join("\n")]);

  return {
    isReady: state === "ready" && claims !== undefined && shown.every(({ id }) => read.has(id)),
    claims: claims ?? [],
    specs: shown.map(({ id }) => read.get(id)).filter((each) => each !== undefined),
    more: active.length - shown.length,
    error,
  };
}
