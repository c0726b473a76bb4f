/** The part of a spec's state from which the page decides what to read again. */
export interface ChangedSpec {
  /** Absent if the spec was deleted or cannot be read. */
  readonly revision?: string | undefined;
  readonly folder?: string | undefined;
  /** True if there is no such spec any more. */
  readonly deleted?: true | undefined;
  /** True if the spec cannot be parsed. */
  readonly unreadable?: true | undefined;
}

/** A spec with a text that changes with everything about the spec that the page shows, including its leases. */
export interface SpecState {
  readonly spec: ChangedSpec;
  readonly fingerprint: string;
}

/** The interface through which the page learns of changes. The program implements it with the store of the specs. */
export interface ChangeSource {
  /** Calls the listener when any process may have changed a spec. Returns the function that stops watching. */
  watch(listener: (id: string) => void): () => void;
  /**
   * Reads the states of specs by id; a spec may be left out. A spec that cannot be read is left out. Throws while the
   * store is unavailable.
   */
  readAll(): Promise<ReadonlyMap<string, SpecState>>;
  /** Reads the state of a spec. Throws while the store is unavailable. */
  read(id: string): Promise<SpecState>;
}
