import type { SpecModel } from "../../../specs/model/spec-model.ts";
import { shortText } from "../parts/visible-text.ts";

/** Returns the nodes that a task can be put under: the phases, and a task that the person named. */
export function parentOptions(
  model: SpecModel,
  named?: string,
): readonly (readonly [id: string, text: string])[] {
  const phases = model.orderedNodes.filter(({ type }) => type === "phase" || type === "group");
  const other = named === undefined ? undefined : model.node(named);
  const all = other === undefined || phases.includes(other) ? phases : [other, ...phases];
  return all.map(({ id, title }) => [id, `${shortText(title, 60)} (${id})`]);
}
