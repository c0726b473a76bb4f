import type { Arguments } from "../specs/warm-server.ts";
import type { Shape } from "./shapes.ts";
import type { WarmStore } from "./warm-store.ts";

/** A spec in a store, and its tasks. */
export interface PlacedSpec {
  readonly id: string;
  /** How many of its tasks were not yet given out. */
  left(): number;
  /** What completes a task: each time another one, and none that waits for another. */
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
