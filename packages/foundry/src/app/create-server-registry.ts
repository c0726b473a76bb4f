import { createRegistry, type Logger, type Registry } from "@foundry-mcp/toolkit";
import { openFlags } from "@foundry-mcp/toolkit/flags";
import type { LoadedSettings } from "../config/load-settings.ts";
import { type SettingName, toTold } from "../config/settings.ts";
import { specPrompts } from "../specs/tools/spec-prompts.ts";
import { specResources } from "../specs/tools/spec-resources.ts";
import { createLimiter } from "./create-limiter.ts";
import type { OpenWorkspace } from "./open-workspace.ts";
import { createSpecTools } from "./spec-tools.ts";
import { version } from "./version.ts";

/** Creates what a server offers, by its settings. */
export async function createServerRegistry(
  { values, origins, files }: LoadedSettings,
  workspace: OpenWorkspace,
  logger?: Logger,
): Promise<Registry> {
  const { tools, dialect, tier, max_tokens: maxTokens, flags_file: flagsFile } = values;
  const place = await workspace.place();
  const flags = flagsFile === undefined ? undefined : await openFlags({ file: flagsFile });
  const { archive } = workspace;
  const rateLimiter = createLimiter(values, workspace, logger);
  return createRegistry({
    name: "foundry-mcp",
    version,
    title: "Foundry",
    instructions:
      'Specs hold phases and tasks. Begin with spec(action="list"), then task(action="next", spec_id=…); start it, do it, and complete it. Failures say in data.remediation what to do.',
    tools: createSpecTools(workspace, tools, {
      running: {
        programs: async () => values.verify_programs,
        folder: workspace.folder,
        outputs: async () => archive,
      },
      openResearch: workspace.research.open,
    }),
    resources: specResources(workspace),
    prompts: specPrompts(workspace),
    dialect,
    dialects: ["response-v2", "envelope-v1", "response-v1"],
    tier,
    outputDetail: "open",
    inputDetail: "brief",
    budget: { maxTokens, archive },
    health: {
      [values.store === "file" ? "specs" : "database"]: async () => {
        const { ok, message } = await (await workspace.store()).probe();
        if (!ok) throw new Error(message);
      },
    },
    describe: () => ({
      ...place,
      configuration: Object.fromEntries(
        Object.entries(origins).map(([name, origin]) => [
          name,
          {
            value: toTold(name as SettingName, values[name as SettingName]) ?? null,
            from: origin,
          },
        ]),
      ),
      configuration_files: files,
    }),
    ...(flags === undefined ? {} : { flags }),
    ...(rateLimiter === undefined ? {} : { rateLimiter }),
  });
}
