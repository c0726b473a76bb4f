import { dirname } from "node:path";
import { createRegistry, type Logger, type Registry } from "@foundry-mcp/toolkit";
import { openFlags } from "@foundry-mcp/toolkit/flags";
import { createJobsTool } from "@foundry-mcp/toolkit/jobs";
import type { LoadedSettings } from "../config/load-settings.ts";
import { toSettingWarning } from "../config/refused-setting.ts";
import { type SettingName, toPrintable } from "../config/settings.ts";
import { version } from "../program/version.ts";
import { specPrompts } from "../specs/tools/spec-prompts.ts";
import { specResources } from "../specs/tools/spec-resources.ts";
import { createLimiter } from "./create-limiter.ts";
import { createApiTools, createTools, type ToolServices, unservedTools } from "./create-tools.ts";
import type { OpenWorkspace } from "./open-workspace.ts";
import { createReferenceNames, createReferenceTools } from "./reference/reference-names.ts";
import { roles } from "./roles.ts";

/** The workflow of an agent, for clients that pass it to their model. */
const instructions = `Specs are plans: phases in the order of work, each with tasks.
1. Take the next task of all active specs: task(action="next", claim=true). Keep claim_token.
2. Do the work. If it takes longer than the lease, call task(action="heartbeat").
3. Complete it, with a note for whoever comes next: task(action="complete", spec_id=…, task_id=…, claim_token=…, note=…).
4. If nothing is ready, the answer says why; wait with task(action="wait", spec_id=…).
5. On a failure, do what data.remediation says.`;

/** Creates the registry of a server according to its settings. */
export async function createServerRegistry(
  { values, origins, files, refused, userFile }: LoadedSettings,
  workspace: OpenWorkspace,
  logger?: Logger,
): Promise<Registry> {
  const { tools, dialect, tier, max_tokens: maxTokens, flags_file: flagsFile } = values;
  // A path in a workspace's file must stay in the folder of that file, even if the path changes later.
  const flagsFolder =
    files.includes(origins.flags_file) && origins.flags_file !== userFile
      ? dirname(origins.flags_file)
      : undefined;
  const flags =
    flagsFile === undefined ? undefined : await openFlags({ file: flagsFile, within: flagsFolder });
  const { archive } = workspace;
  const rateLimiter = createLimiter(values, {
    open: async () => (await workspace.storage()).rateLimits,
    logger,
    unlimited: ["server", "gateway"],
  });
  const services: ToolServices = {
    running: {
      programs: async () => values.verify_programs,
      folder: workspace.folder,
      outputs: async () => archive,
    },
    reviewing: workspace.reviewing,
    openResearch: workspace.research.open,
  };
  return createRegistry({
    name: "foundry-mcp",
    version,
    title: "Foundry",
    roles,
    instructions,
    tools: [
      ...createTools(workspace, tools, services),
      ...createApiTools(workspace, tools, services),
      createJobsTool(workspace.jobs, { unlisted: true, cancelRole: roles[0] }),
      ...createReferenceTools(
        { location: workspace.location, cwd: workspace.cwd, path: process.env["PATH"] },
        values,
      ),
    ],
    compatibility: createReferenceNames(workspace.cwd, values),
    resources: specResources(workspace),
    prompts: specPrompts(workspace),
    dialect,
    dialects: ["response-v2", "envelope-v1", "response-v1"],
    tier,
    outputDetail: "open",
    inputDetail: "brief",
    budget: { maxTokens, archive },
    jobs: workspace.jobs,
    health: {
      [values.store === "file" ? "specs" : "database"]: async () => {
        const { ok, message } = await (await workspace.store()).probe();
        if (!ok) throw new Error(message);
      },
    },
    unserved: unservedTools(tools),
    describe: async () => ({
      ...(await workspace.location().catch(() => ({ specs_dir: null }))),
      configuration: Object.fromEntries(
        Object.entries(origins).map(([name, origin]) => [
          name,
          {
            value: toPrintable(name as SettingName, values[name as SettingName]) ?? null,
            from: origin,
          },
        ]),
      ),
      configuration_files: files,
      ...(refused.length === 0
        ? {}
        : { configuration_warnings: refused.map((each) => toSettingWarning(each).message) }),
    }),
    ...(flags === undefined ? {} : { flags }),
    ...(rateLimiter === undefined ? {} : { rateLimiter }),
  });
}
