import { join } from "node:path";
import { createRegistry, type Registry } from "@foundry-mcp/toolkit";
import { createFileArchive } from "@foundry-mcp/toolkit/archive";
import { openFlags } from "@foundry-mcp/toolkit/flags";
import type { LoadedSettings } from "../config/load-settings.ts";
import type { OpenWorkspace } from "./open-workspace.ts";
import { specPrompts } from "./spec-prompts.ts";
import { specResources } from "./spec-resources.ts";
import { createSpecTools } from "./spec-tools.ts";
import { version } from "./version.ts";

/** Creates what a server offers, by its settings. */
export async function createServerRegistry(
  { values, origins, files }: LoadedSettings,
  workspace: OpenWorkspace,
): Promise<Registry> {
  const { tools, dialect, tier, max_tokens: maxTokens, archive_dir: named, flags_file: flagsFile } = values;
  const root = await workspace.specsFolder();
  const flags = flagsFile === undefined ? undefined : await openFlags({ file: flagsFile });
  const archive = createFileArchive({ folder: named ?? join(root, ".foundry", "archive") });
  return createRegistry({
    name: "foundry-mcp",
    version,
    title: "Foundry",
    instructions:
      'Specs hold phases and tasks. Begin with spec(action="list"), then task(action="next", spec_id=…); start it, do it, and complete it. Failures say in data.remediation what to do.',
    tools: createSpecTools(workspace, tools, {
      programs: async () => values.verify_programs,
      specsFolder: workspace.specsFolder,
      archive,
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
      specs: async () => {
        const { ok, message } = await (await workspace.store()).probe();
        if (!ok) throw new Error(message);
      },
    },
    describe: () => ({
      specs_dir: root,
      configuration: Object.fromEntries(
        Object.entries(origins).map(([name, origin]) => [
          name,
          { value: values[name as keyof typeof values] ?? null, from: origin },
        ]),
      ),
      configuration_files: files,
    }),
    ...(flags === undefined ? {} : { flags }),
  });
}
