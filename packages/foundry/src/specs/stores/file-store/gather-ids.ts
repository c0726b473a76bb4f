/** Ids that are told together. */
export interface GatheredIds {
  add(id: string): void;
  close(): void;
}

/** Gathers ids for a while, and tells each once: one change of a spec is several of files. */
export function gatherIds(milliseconds: number, tell: (id: string) => void): GatheredIds {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const tellAll = () => {
    timer = undefined;
    const ids = [...waiting];
    waiting.clear();
    for (const id of ids) {
      // Whoever is told may have had enough.
      if (isClosed) return;
      tell(id);
    }
  };
  let isClosed = false;
  return {
    add(id) {
      if (isClosed) return;
      waiting.add(id);
      // From the first on, not from the last: a stream that never pauses is told of too.
      timer ??= setTimeout(tellAll, milliseconds).unref();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      waiting.clear();
    },
  };
}
