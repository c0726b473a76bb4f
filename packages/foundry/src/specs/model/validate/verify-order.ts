import { dependentWork, isVerifyLeaf } from "../verify-scope.ts";
import type { SpecCheck } from "./check-context.ts";

const maxListed = 5;

/**
 * Checks for work that depends on a verify node that verifies this work. Such a verify node is ready before
 * the work is done.
 */
export const checkVerifyOrder: SpecCheck = ({ model }, add) => {
  for (const node of model.orderedNodes) {
    if (!isVerifyLeaf(model, node)) continue;
    const work = [...dependentWork(model, node)].toSorted(
      (a, b) => model.positionOf(a) - model.positionOf(b),
    );
    if (work.length === 0) continue;
    const names = work.slice(0, maxListed).join(", ");
    const more = work.length > maxListed ? ` and ${work.length - maxListed} more` : "";
    const scope = model.scopeOf(node.id) ?? "";
    add({
      code: "VERIFY_BEFORE_WORK",
      path: ["hierarchy", node.id],
      message: `${node.id} verifies ${scope}, but ${names}${more} below it ${work.length === 1 ? "waits" : "wait"} for ${node.id}`,
      remedy: `Remove the dependency on ${node.id}, or move ${node.id} to the phase or group that it verifies.`,
    });
  }
};
