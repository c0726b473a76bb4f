import type { ChangeSource, SpecState } from "../change-source.ts";

/** A source of changes that a test controls. */
export class FakeSource implements ChangeSource {
  readonly states = new Map<string, SpecState>();
  readonly listeners = new Set<(id: string) => void>();
  /** The errors that the next reads throw. */
  readonly errors: Error[] = [];
  reads = 0;

  watch(listener: (id: string) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  async readAll(): Promise<ReadonlyMap<string, SpecState>> {
    const error = this.errors.shift();
    if (error !== undefined) throw error;
    return new Map(this.states);
  }

  async read(id: string): Promise<SpecState> {
    this.reads += 1;
    const error = this.errors.shift();
    if (error !== undefined) throw error;
    return this.states.get(id) ?? { spec: { deleted: true }, fingerprint: "deleted" };
  }

  /** Changes a spec and sends the notices of the change. */
  change(id: string, revision: string, notices = 1): void {
    this.states.set(id, { spec: { revision, folder: "active" }, fingerprint: revision });
    this.notify(id, notices);
  }

  notify(id: string, notices = 1): void {
    for (let sent = 0; sent < notices; sent++) for (const listener of this.listeners) listener(id);
  }
}
