import { dirname } from "node:path";
import { createRegistry, type Logger, type Registry } from "@foundry-mcp/toolkit";
import { openFlags } from "@foundry-mcp/toolkit/flags";
import { createRateLimiter, type RateLimiter } from "@foundry-mcp/toolkit/limits";
import type { LoadedSettings } from "../config/load-settings.ts";
import { toSettingWarning } from "../config/refused-setting.ts";
import { type SettingName, type Settings, toPrintable } from "../config/settings.ts";
import { specPrompts } from "../specs/tools/spec-prompts.ts";
import { specResources } from "../specs/tools/spec-resources.ts";
import { createTools, unservedTools } from "./create-tools.ts";
import type { OpenWorkspace } from "./open-workspace.ts";
import { createReferenceNames, createReferenceTools } from "./reference/reference-names.ts";
import { roles } from "./roles.ts";
import { version } from "./version.ts";

/** The loop of an agent, for clients that show it to their model. */
const instructions = `Specs are plans: phases in the order of work, each with tasks.
1. Take the next task of all active specs: task(action="next", claim=true). Keep claim_token.
2. Do the work. If it takes longer than the lease, call task(action="heartbeat").
3. Complete it, with a note for whoever comes next: task(action="complete", spec_id=…, task_id=…, claim_token=…, note=…).
4. If nothing is ready, the answer says why; wait with task(action="wait", spec_id=…).
5. On a failure, do what data.remediation says.`;

/** Creates the registry of a server, as its settings describe it. */
export async function createServerRegistry(
  { values, origins, files, refused, userFile }: LoadedSettings,
  workspace: OpenWorkspace,
  logger?: Logger,
): Promise<Registry> {
  const { tools, dialect, tier, max_tokens: maxTokens, flags_file: flagsFile } = values;
  // A path that the file of a workspace names must stay in the folder of that file, also when it changes later.
  const flagsFolder =
    files.includes(origins.flags_file) && origins.flags_file !== userFile
      ? dirname(origins.flags_file)
      : undefined;
  const flags =
    flagsFile === undefined ? undefined : await openFlags({ file: flagsFile, within: flagsFolder });
  const { archive } = workspace;
  const rateLimiter = createLimiter(values, workspace, logger);
  return createRegistry({
    name: "foundry-mcp",
    version,
    title: "Foundry",
    roles,
    instructions,
    tools: [
      ...createTools(workspace, tools, {
        running: {
          programs: async () => values.verify_programs,
          folder: workspace.folder,
          outputs: async () => archive,
        },
        reviewing: workspace.reviewing,
        openResearch: workspace.research.open,
      }),
      ...createReferenceTools(async () => {
        const location = await workspace.location();
        return "specs_dir" in location ? location.specs_dir : undefined;
      }, values),
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

/** Creates the rate limiter of the settings; the servers of one database share its counts. */
function createLimiter(
  { rate_limit: limit, store }: Settings,
  workspace: OpenWorkspace,
  logger?: Logger,
): RateLimiter | undefined {
  if (limit === 0) return undefined;
  const rule = { limit, periodSeconds: 60, tools: { server: false } } as const;
  const local = createRateLimiter(rule);
  if (store === "file") return local;
  // The database is opened with the first call; while it is unavailable this server counts alone.
  let shared: Promise<RateLimiter> | undefined;
  const open = async (): Promise<RateLimiter> => {
    const { rateLimits } = await workspace.storage();
    return rateLimits === undefined
      ? local
      : createRateLimiter({ ...rule, postgres: { ...rateLimits, logger } });
  };
  return {
    async take(client, tool) {
      shared ??= open();
      const limiter = await shared.catch(() => {
        shared = undefined;
        return local;
      });
      return limiter.take(client, tool);
    },
  };
}
