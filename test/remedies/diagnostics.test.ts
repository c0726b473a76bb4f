import type { RemedyCall } from "@foundry-mcp/contract";
import { openServer } from "foundry-mcp";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createWorkspace, specOf, type TestWorkspace } from "../specs/workspace.ts";

interface Diagnostic {
  readonly code: string;
  readonly remedy?: RemedyCall;
}

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createWorkspace();
});
afterEach(() => workspace.remove());

/** Values that only the caller knows, by the name of the parameter. */
const inputs: Readonly<Record<string, unknown>> = {
  mission: "Be quick",
  text: "It is quick",
  value: "medium",
  description: "Do it",
  acceptance_criteria: ["It is done"],
  task_category: "implementation",
  file_path: "src/a.ts",
};

it("the call that each diagnostic of validate carries takes it away", async () => {
  const document = specOf("faulty", { phases: 1, tasks: 1 });
  Object.assign(document, {
    metadata: { mission: "", success_criteria: [], constraints: [], complexity: "huge" },
  });
  await workspace.write("active/faulty.json", document);
  const { registry, close } = await openServer({ cwd: workspace.folder, settings: { tools: "all" } });
  try {
    const validate = async () => {
      const args = { action: "validate", spec_id: "faulty", detail: true };
      return (await registry.call("spec", args)).data["diagnostics"] as readonly Diagnostic[];
    };
    const followed: string[] = [];
    for (const { code, remedy } of await validate()) {
      if (remedy === undefined || !(await validate()).some((each) => each.code === code)) continue;
      const { tool, action, arguments: given, needs = [] } = remedy;
      const filled = Object.fromEntries(needs.map((name) => [name, inputs[name]]));
      const answer = await registry.call(tool, { action, ...given, ...filled });
      expect([code, answer.error]).toEqual([code, null]);
      expect((await validate()).map((each) => each.code)).not.toContain(code);
      followed.push(code);
    }
    expect(followed).toEqual(
      expect.arrayContaining([
        "MISSING_MISSION",
        "EMPTY_SUCCESS_CRITERIA",
        "EMPTY_CONSTRAINTS",
        "MISSING_PLAN_PATH",
        "MISSING_PLAN_REVIEW_PATH",
        "INVALID_COMPLEXITY",
      ]),
    );
  } finally {
    await close();
  }
});
