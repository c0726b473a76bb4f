import { useEffect, useState } from "preact/hooks";
import { callTool } from "../api/call-tool.ts";
import type { CallError } from "../api/envelope.ts";
import type { LoadedSpec } from "./spec-cache.ts";

/** A revision, and the change that made it. */
export interface Revision {
  readonly revision: string;
  readonly at: string;
  readonly author: string;
  readonly action: string;
  readonly about: readonly string[];
}

/** The newest revisions of a spec. */
export interface History {
  readonly entries: readonly Revision[];
  readonly total: number;
  readonly isReady: boolean;
  readonly error?: CallError | undefined;
}

const nothing: History = { entries: [], total: 0, isReady: false };

/** Reads the newest revisions of a spec, and reads them again when the spec changes. */
export function useHistory({ id, revision }: LoadedSpec, limit: number): History {
  const [history, setHistory] = useState(nothing);
  useEffect(() => {
    const ended = new AbortController();
    void callTool<{ entries: readonly Revision[]; total_count: number }>(
      "spec",
      { action: "history", spec_id: id, limit, max_tokens: 0 },
      ended.signal,
    ).then((answer) => {
      if (ended.signal.aborted) return;
      if (answer.ok)
        setHistory({ entries: answer.data.entries, total: answer.data.total_count, isReady: true });
      else setHistory((before) => ({ ...before, isReady: true, error: answer.error }));
    });
    return () => ended.abort();
  }, [id, revision, limit]);
  return history;
}
