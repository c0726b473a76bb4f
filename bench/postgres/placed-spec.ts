import type { Arguments } from "../specs/warm-server.ts";
import type { Shape } from "./shapes.ts";
import type { WarmStore } from "./warm-store.ts";

/** A spec in a store, and its tasks. */
export interface PlacedSpec {
  readonly id: string;
  /** Returns the number of tasks of the spec that have not been handed out yet. */
  left(): number;
  /**
   * Returns the arguments to complete a task. Each call returns a different task, and never a task that depends on
   * another task.
   */
  toComplete(): Arguments;
}

/** Adds a spec of a shape to a store. */
export async function placeSpec(
  store: WarmStore,
  shape: Shape,
  nodes: number,
  id: string,
): Promise<PlacedSpec> {
  const { spec, open } = shape.create(nodes, id);
  await store.add(id, spec);
  let place = 0;
  return {
    id,
    left: () => open.length - place,
    toComplete() {
      const task = open[place++];
      if (task === undefined) throw new Error(`All ${open.length} open tasks of "${id}" are used up.`);
      return { action: "complete", spec_id: id, task_id: task, note: "Read and checked" };
    },
  };
}
