import fc from "fast-check";
import { findCycle } from "../dependencies.ts";
import type { SpecDocument } from "../spec-document.ts";
import { SpecModel } from "../spec-model.ts";
import { type ArbitrarySpecOptions, arbitrarySpec } from "./arbitrary-spec.ts";
import { nodesOf } from "./recount.ts";

/**
 * Generates specs of tasks and verify nodes on which no work has begun. The random dependencies have any
 * direction, and include dependencies on verify nodes and their groups. Dependencies that would close a cycle
 * are left out.
 */
export function arbitraryPlan(options: ArbitrarySpecOptions): fc.Arbitrary<SpecDocument> {
  const links = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 40 });
  return fc.tuple(arbitrarySpec(options), links).map(([spec, wanted]) => withLinks(spec, wanted));
}

/** Returns a pending spec of tasks and verify nodes to which dependencies are added. */
function withLinks(base: SpecDocument, wanted: readonly (readonly [number, number])[]): SpecDocument {
  const document = structuredClone(base);
  const nodes = nodesOf(document);
  for (const [id, node] of Object.entries(nodes)) {
    node.status = "pending";
    delete node.metadata["completed_at"];
    if (node.type === "research") node.type = "verify";
    // A phase or group without work is never completed, so all nodes that depend on it would wait forever.
    if (node.children.length === 0 && (node.type === "group" || node.type === "phase")) node.type = "task";
    if (id === "spec-root") node.type = "spec";
  }
  const ids = Object.keys(nodes).filter((id) => id !== "spec-root");
  for (const [from, to] of wanted) {
    const [id = "", blocker = ""] = [ids[from % ids.length], ids[to % ids.length]];
    const waiting = nodes[id]?.dependencies.blocked_by ?? [];
    if (waiting.includes(blocker)) continue;
    if (id === blocker || findCycle(new SpecModel(document), id, blocker) !== undefined) continue;
    waiting.push(blocker);
    nodes[blocker]?.dependencies.blocks.push(id);
  }
  return document;
}
