import { validationError } from "@foundry-mcp/contract";
import { listIds, requireNode } from "../find-node.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";

/** The verification of an id; other nodes are none. */
export function requireVerify(spec: SpecModel, id: string, action: string): SpecNode {
  const node = requireNode(spec, id);
  if (node.type === "verify") return node;
  const all = spec.order.map((each) => spec.node(each)).filter((each) => each?.type === "verify");
  const names = listIds(all.filter((each) => each !== undefined));
  throw validationError(
    { field: "verify_id", constraint: "verify", received: id, expected: "the id of a node of type verify" },
    {
      message: `Cannot ${action} "${id}": it is a node of type ${node.type}, not a verification`,
      remediation:
        names === ""
          ? `Add a verification with task(action="add", spec_id="${spec.id}", task_type="verify", …), then give its id.`
          : `Give the id of a verification, such as ${names}.`,
    },
  );
}
