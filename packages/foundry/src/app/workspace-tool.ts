import { join, relative } from "node:path";
import { ContractError, isContractError, type WarningDetail } from "@foundry-mcp/contract";
import { action, defineTool, payload, type Tool } from "@foundry-mcp/toolkit";
import { createWorkspaceFiles, toFileError } from "@foundry-mcp/toolkit/files";
import { z } from "zod";
import type { LoadedSettings } from "../config/load-settings.ts";
import { toSettingWarning } from "../config/refused-setting.ts";
import { programName } from "../program/program-name.ts";
import { specFolders } from "../specs/model/spec-document.ts";
import { type AgentName, agentNames } from "./agents/agent-clients.ts";
import type { OpenWorkspace } from "./open-workspace.ts";
import { sampleSpec } from "./sample-spec.ts";
import { version } from "./version.ts";
import { requireConfined, requireSpecsFolder } from "./workspace-location.ts";

/** What the commands of the command line work with. */
export interface WorkspaceDeps {
  readonly load: () => Promise<LoadedSettings>;
  readonly cwd: string;
  readonly workspace: OpenWorkspace;
  /** The warnings of the settings that the command has read so far. */
  readonly warnings?: (() => readonly WarningDetail[]) | undefined;
}

/** Creates the commands about the workspace. For the command line only: they create files in the current folder. */
export function createWorkspaceTool(deps: WorkspaceDeps): Tool {
  return defineTool({
    name: "workspace",
    version: "1.0.0",
    description: "The workspace itself: make one, look whether it works",
    actions: {
      init: action({
        description:
          "Create a workspace in this folder: specs/ with a sample spec, and the configuration of a client",
        input: () =>
          z.object({
            yes: z.boolean().optional().describe("Overwrite an older page for the agent"),
            sample: z.boolean().optional().describe("Create a sample spec (default: true)"),
            agent: z
              .enum(agentNames)
              .optional()
              .describe(
                "Write the configuration of this client, and a page that tells its agent how to work",
              ),
          }),
        output: () =>
          payload({
            created: z.array(z.string()),
            changed: z.array(z.string()),
            kept: z.array(z.string()),
          }),
        idempotent: true,
        cli: { command: "init" },
        run: (input) => createWorkspace(deps, input),
      }),
      doctor: action({
        description: "Whether everything that is needed is there and works",
        output: () => payload({ ok: z.boolean() }),
        readOnly: true,
        cli: { command: "doctor" },
        run: async () => {
          const checks = await checkWorkspace(deps);
          const failed = checks.filter(({ ok }) => !ok);
          const data = { ok: failed.length === 0, checks };
          if (data.ok) return data;
          const names = failed.map(({ name }) => name).join(", ");
          throw new ContractError(`Not everything works: ${names}`, {
            errorCode: "INVALID_STATE",
            remediation: `Fix ${names} as data.checks says.`,
            data,
          });
        },
      }),
      version: action({
        description: "The versions of this program and of what it runs on",
        output: () => payload({ version: z.string() }),
        readOnly: true,
        cli: { command: "version" },
        run: () => ({
          name: "foundry-mcp",
          version,
          node: process.version,
          platform: `${process.platform} ${process.arch}`,
        }),
      }),
    },
  });
}

interface InitInput {
  readonly yes?: boolean | undefined;
  readonly sample?: boolean | undefined;
  readonly agent?: AgentName | undefined;
}

async function createWorkspace(
  { cwd, load, workspace }: WorkspaceDeps,
  { yes = false, sample = true, agent }: InitInput,
): Promise<object> {
  const created: string[] = [];
  const changed: string[] = [];
  const kept: string[] = [];
  const note = (name: string, isNew: boolean) => (isNew ? created : kept).push(name);
  const { planAgentFiles } = await import("./agents/plan-agent-files.ts");
  const planned = await planAgentFiles(cwd, agent, yes);
  const loaded = await load();
  const isFile = loaded.values.store === "file";
  const named = requireConfined(loaded);
  const root = named ?? join(cwd, "specs");
  const shown = relative(cwd, root).startsWith("..") ? root : relative(cwd, root);
  // A repository may bring a link in the place of specs.
  const files = createWorkspaceFiles({ root: named ?? cwd });
  for (const folder of isFile ? specFolders : []) {
    const name = `${shown}/${folder}`;
    const first = await files.mkdir(join(root, folder)).catch((err: unknown) => {
      throw toFileError(err, `create the folder "${name}"`, name);
    });
    note(name, first !== undefined);
  }
  if (sample && (await isEmpty(workspace))) {
    const { id, document } = sampleSpec(new Date().toISOString());
    await (await workspace.store("write")).create(id, document, "active");
    note(isFile ? `${shown}/active/${id}.json` : `spec ${id}`, true);
  }
  const lists = { create: created, add: changed, replace: changed, keep: kept };
  for (const { path, change, write } of planned) {
    await write().catch((err: unknown) => {
      throw toFileError(err, `write "${path}"`, path);
    });
    lists[change].push(path);
  }
  return {
    workspace: cwd,
    created,
    changed,
    kept,
    next: [`${programName} specs find`, `${programName} tasks next ID`, `${programName} serve`],
  };
}

async function isEmpty(workspace: OpenWorkspace): Promise<boolean> {
  const { specs, problems } = await (await workspace.store("write")).list();
  return specs.length + problems.length === 0;
}

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
}

async function checkWorkspace({ cwd, load, workspace }: WorkspaceDeps): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const check = async (name: string, run: () => Promise<string>) => {
    try {
      checks.push({ name, ok: true, message: await run() });
    } catch (thrown) {
      checks.push({ name, ok: false, message: toReason(thrown).trim() });
    }
  };
  await check("node", async () => process.version);
  await check("settings", async () => (await load()).files.join(", ") || "no files, all defaults");
  await check("user settings", async () => describeUserFile(await load()));
  await check("workspace settings", async () => describeRefused(await load()));
  await check("tokens", async () => describeTokens(await load()));
  const isFile = await load().then(
    ({ values }) => values.store === "file",
    () => true,
  );
  if (isFile)
    await check("specs folder", async () => {
      const folder = requireSpecsFolder(await load(), cwd);
      const files = createWorkspaceFiles({ root: folder });
      await files.readdir(folder);
      await files.requireWritable(folder);
      return folder;
    });
  else
    await check("database", async () => {
      const { ok, message } = await (await workspace.store()).probe();
      if (!ok) throw new Error(message);
      return Object.values(await workspace.location()).join(", workspace ");
    });
  await check("specs", async () => {
    const { specs, problems } = await (await workspace.store()).list();
    if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join("; "));
    return `${specs.length} can be read`;
  });
  return checks;
}

/** The path of the user's file, and whether it is there. */
function describeUserFile({ userFile, files }: LoadedSettings): string {
  if (userFile === undefined) return "none: this user has no home folder";
  return files.includes(userFile) ? userFile : `${userFile} (does not exist)`;
}

/** The settings of the workspace that are not used: no failure, for everything works without them. */
function describeRefused({ refused }: LoadedSettings): string {
  return refused.map((each) => toSettingWarning(each).message).join(". ") || "all may be set there";
}

/** How many callers serve knows; the grants are judged as it does when it starts. */
async function describeTokens(loaded: LoadedSettings): Promise<string> {
  // The code of HTTP is loaded only here.
  const { countGrants } = await import("./token-grants.ts");
  return `${countGrants(loaded) || "none"} for serve`;
}

function toReason(thrown: unknown): string {
  if (isContractError(thrown)) return `${thrown.message}. ${thrown.remediation ?? ""}`;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
