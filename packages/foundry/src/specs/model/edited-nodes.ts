import type { UnknownRecord } from "@foundry-mcp/contract";
import { hasPriority } from "./spec-tree.ts";

/**
 * The edited nodes of a spec. The nodes are kept in layers, and each layer has at least twice as many nodes as the next.
 * An edit adds a layer and merges the smallest ones, so that it costs about as much as the edited nodes, however many
 * nodes were edited before. Earlier versions share the layers.
 */
export class EditedNodes {
  static readonly none: EditedNodes = new EditedNodes([], false);
  /** The layers; the newest is the last. */
  readonly #layers: readonly ReadonlyMap<string, UnknownRecord>[];
  /** True if an edited node has, or had, a priority. */
  readonly hasPriorities: boolean;

  private constructor(layers: readonly ReadonlyMap<string, UnknownRecord>[], hasPriorities: boolean) {
    this.#layers = layers;
    this.hasPriorities = hasPriorities;
  }

  /** The number of edits that are kept. If several layers contain a node, the node is counted several times. */
  get size(): number {
    return this.#layers.reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns an edited node; undefined if the node was not edited. */
  get(id: string): UnknownRecord | undefined {
    for (let index = this.#layers.length - 1; index >= 0; index--) {
      const raw = this.#layers[index]?.get(id);
      if (raw !== undefined) return raw;
    }
    return undefined;
  }

  /** Returns the edited nodes after further edits. */
  with(changed: ReadonlyMap<string, UnknownRecord>): EditedNodes {
    const layers = [...this.#layers];
    let merged = changed;
    for (let last = layers.at(-1); last !== undefined && last.size < 2 * merged.size; last = layers.at(-1)) {
      merged = new Map([...last, ...merged]);
      layers.pop();
    }
    const hasPriorities = this.hasPriorities || [...changed.values()].some(hasPriority);
    return new EditedNodes([...layers, merged], hasPriorities);
  }

  /** Returns all edited nodes. */
  toMap(): ReadonlyMap<string, UnknownRecord> {
    return new Map(this.#layers.flatMap((layer) => [...layer]));
  }
}
