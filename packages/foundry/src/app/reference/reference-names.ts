import { resolve } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import type { Compatibility, Tool } from "@foundry-mcp/toolkit";
import type { Settings } from "../../config/settings.ts";
import { createEnvironmentTool, type EnvironmentDeps } from "./environment-tool.ts";
import { asListed } from "./parameters.ts";
import { createPlanTool } from "./plan-tool.ts";
import { createProviderTool } from "./provider-tool.ts";
import { referenceAnswers } from "./reference-answers.ts";
import { referenceCalls } from "./reference-calls.ts";
import { toQuestion } from "./research-calls.ts";
import type { Parameters } from "./row.ts";
import { asUnconfirmed } from "./unconfirmed-calls.ts";

/**
 * Creates the tools of the Python server that have no counterpart. These tools are listed only with `--tools
 * reference`.
 */
export function createReferenceTools(
  environment: EnvironmentDeps,
  { tools, model }: Settings,
): readonly Tool[] {
  const unlisted = tools !== "reference";
  const specsFolder = async () => (await environment.location())["specs_dir"];
  return [
    createPlans(specsFolder, unlisted),
    createProviderTool(model, unlisted),
    createEnvironmentTool(environment, unlisted),
  ];
}

/** Creates the tool `plan` for a workspace. The tool works only if the specs of the workspace are files. */
export function createPlans(specsFolder: () => Promise<string | undefined>, unlisted: boolean): Tool {
  const requireFolder = async () => {
    const folder = await specsFolder();
    if (folder !== undefined) return folder;
    throw new ContractError("Cannot use plans: they are files, and the specs are in a database", {
      errorCode: "INVALID_STATE",
      remediation: "Keep the plan in the repository, and name it with plan_path in the metadata of the spec.",
    });
  };
  return createPlanTool(requireFolder, unlisted);
}

/**
 * Returns the names and parameters of the Python server that calls may use. A server has only one workspace, so a
 * call that names another workspace is refused.
 */
export function createReferenceNames(
  cwd: string,
  { tools, specs_dir: specsDir, search_url: searchUrl }: Settings,
): Compatibility {
  const folders = [cwd, ...(specsDir === undefined ? [] : [specsDir, resolve(specsDir, "..")])];
  const workspace = (value: unknown) => {
    const isOwn = value === null || (typeof value === "string" && folders.includes(resolve(cwd, value)));
    return isOwn
      ? {}
      : "This server has only one workspace. Leave out the parameter, or start a server in the other workspace.";
  };
  /** The parameters that depend on the settings, by tool and action. */
  const own: Readonly<Record<string, Parameters>> = {
    "spec analyze": { directory: workspace },
    "environment init": { path: workspace },
    "environment init-workspace": { path: workspace },
    "research deep-research": { query: toQuestion(searchUrl === undefined ? "folder" : "web") },
  };
  const isListed = tools === "reference";
  const calls = referenceCalls.map((call) => {
    const special = call.when === undefined ? own[`${call.tool} ${call.action}`] : {};
    const parameters = Object.entries({ ...call.parameters, ...special });
    const taken = parameters.map(([name, each]) => [name, isListed ? asListed(each) : each] as const);
    const translated = { ...call, parameters: Object.fromEntries(taken) };
    return isListed ? asUnconfirmed(translated) : translated;
  });
  return { calls, answers: referenceAnswers, parameters: { workspace }, listed: isListed };
}
