import { basename, join, relative } from "node:path";
import { ContractError, isContractError, type WarningDetail } from "@foundry-mcp/contract";
import { action, defineTool, payload, type Tool } from "@foundry-mcp/toolkit";
import { createWorkspaceFiles, findKind, toFileError } from "@foundry-mcp/toolkit/files";
import { viewOf } from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import type { LoadedSettings } from "../config/load-settings.ts";
import { toSettingWarning } from "../config/refused-setting.ts";
import { programName } from "../program/program-name.ts";
import { version } from "../program/version.ts";
import { specFolders } from "../specs/model/spec-document.ts";
import { requireKnownFormat } from "../specs/stores/file-store/file-format.ts";
import { ignoreSidecar } from "../specs/stores/file-store/ignore-sidecar.ts";
import { sidecarFolder } from "../specs/stores/file-store/spec-files.ts";
import { type AgentName, agentClients, agentNames } from "./agents/agent-clients.ts";
import { mergeDriverAction } from "./git/merge-driver-action.ts";
import {
  configureDriver,
  isInRepository,
  mergeSetup,
  planAttributes,
  toShellLines,
} from "./git/plan-merge-driver.ts";
import type { OpenWorkspace } from "./open-workspace.ts";
import { sampleSpec } from "./sample-spec.ts";
import { requireConfined, requireSpecsFolder } from "./workspace-location.ts";
import { doctorView, initView, versionView } from "./workspace-views.ts";

/** The dependencies of the workspace commands. */
export interface WorkspaceDeps {
  readonly load: () => Promise<LoadedSettings>;
  readonly cwd: string;
  readonly workspace: OpenWorkspace;
  /** Returns warnings about the settings that the command has read so far. */
  readonly warnings?: (() => readonly WarningDetail[]) | undefined;
  /**
   * Returns true if answers also have the keys of the Python foundry-mcp, according to the settings that were read so
   * far.
   */
  readonly isReference?: (() => boolean) | undefined;
}

/**
 * Creates the commands for the workspace. Only the command line has these commands, because they create files in the
 * current folder.
 */
export function createWorkspaceTool(deps: WorkspaceDeps): Tool {
  return defineTool({
    name: "workspace",
    version: "1.0.0",
    description: "Create a workspace, and check whether it works",
    actions: {
      init: action({
        examples: [{ title: "Create a workspace for Claude Code", args: { agent: "claude" } }],
        description:
          "Create a workspace in this folder: the folder specs/ with a sample spec, and the configuration of a client",
        input: () =>
          z.object({
            yes: z.boolean().optional().describe("Overwrite an existing page of instructions for the agent"),
            sample: z
              .boolean()
              .optional()
              .describe("Create a sample spec (default: true; --no-sample for false)"),
            agent: z
              .enum(agentNames)
              .optional()
              .describe("Write the configuration of this client, and a page of instructions for the agent"),
            git: z
              .boolean()
              .optional()
              .describe("Let git merge spec files field by field; changes .gitattributes and the git config"),
          }),
        output: () =>
          payload({
            created: z.array(z.string()),
            changed: z.array(z.string()),
            kept: z.array(z.string()),
          }),
        idempotent: true,
        cli: { command: "init", show: viewOf(() => initView) },
        run: (input, { warn }) => createWorkspace(deps, input, warn),
      }),
      "merge-driver": mergeDriverAction(deps.cwd),
      doctor: action({
        examples: [{ title: "Check this workspace", args: {} }],
        description:
          "Check the workspace: the settings, the tokens, the store, and whether all specs can be read",
        output: () => payload({ ok: z.boolean() }),
        readOnly: true,
        cli: { command: "doctor", show: viewOf(() => doctorView, { failures: true }) },
        run: async () => {
          const checks = await checkWorkspace(deps);
          const failed = checks.filter(({ ok }) => !ok);
          const data = { ok: failed.length === 0, checks };
          if (data.ok) return data;
          const names = failed.map(({ name }) => name).join(", ");
          throw new ContractError(`Some checks failed: ${names}`, {
            errorCode: "INVALID_STATE",
            remediation: `Fix ${names}: each failed check says how.`,
            data,
          });
        },
      }),
      version: action({
        examples: [{ title: "See which versions run", args: {} }],
        description: "Show the versions of this program, of Node and of the operating system",
        output: () => payload({ version: z.string() }),
        readOnly: true,
        cli: { command: "version", show: viewOf(() => versionView) },
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
  readonly git?: boolean | undefined;
}

async function createWorkspace(
  { cwd, load, workspace }: WorkspaceDeps,
  { yes = false, sample = true, agent, git = false }: InitInput,
  warn: (message: string) => void,
): Promise<object> {
  const created: string[] = [];
  const changed: string[] = [];
  const kept: string[] = [];
  const note = (name: string, isNew: boolean) => (isNew ? created : kept).push(name);
  const { planAgentFiles } = await import("./agents/plan-agent-files.ts");
  const planned = [...(await planAgentFiles(cwd, agent, yes))];
  const loaded = await load();
  const isFile = loaded.values.store === "file";
  const named = requireConfined(loaded);
  const root = named ?? join(cwd, "specs");
  const shown = relative(cwd, root).startsWith("..") ? root : relative(cwd, root);
  // A repository may contain a link instead of the folder specs.
  const files = createWorkspaceFiles({
    root: named ?? cwd,
    privateFolder: relative(named ?? cwd, join(root, sidecarFolder)),
  });
  for (const folder of isFile ? specFolders : []) {
    const name = `${shown}/${folder}`;
    const first = await files.mkdir(join(root, folder)).catch((err: unknown) => {
      throw toFileError(err, `create the folder "${name}"`, name);
    });
    note(name, first !== undefined);
  }
  if (isFile) {
    const sidecar = join(root, sidecarFolder);
    const first = await files.mkdir(sidecar).catch((err: unknown) => {
      throw toFileError(err, `create the folder "${shown}/${sidecarFolder}"`, shown);
    });
    const name = `${shown}/${sidecarFolder}/.gitignore`;
    const isNew = await ignoreSidecar(files, sidecar).catch((err: unknown) => {
      throw toFileError(err, `write "${name}"`, name);
    });
    note(name, isNew || first !== undefined);
  }
  const setup = isFile ? mergeSetup(cwd, root) : undefined;
  if (git && setup !== undefined) {
    planned.push(await planAttributes(cwd, setup));
    await configureDriver(cwd, setup);
  }
  if (sample && (await isEmpty(workspace))) {
    const { id, document } = sampleSpec(new Date().toISOString());
    await (await workspace.store("write")).create(id, document, "active");
    note(isFile ? `${shown}/active/${id}.json` : `spec ${id}`, true);
  }
  const lists = { create: created, add: changed, replace: changed, keep: kept };
  if (findKind(join(cwd, pythonSettings)) === "file") warn(pythonSettingsIgnored);
  for (const { path, change, warning, write } of planned) {
    if (warning !== undefined) warn(warning);
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
    next: [`${programName} specs list`, `${programName} tasks next`, `${programName} serve`],
    ...(setup === undefined || git || !isInRepository(cwd)
      ? {}
      : { merge_driver: [`${programName} init --git`, ...toShellLines(setup)] }),
    ...(git && setup !== undefined ? { git_config: setup.config.map((each) => each.join("=")) } : {}),
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

async function checkWorkspace(deps: WorkspaceDeps): Promise<readonly Check[]> {
  const { cwd, load } = deps;
  const checks: Check[] = [];
  const check: RunCheck = async (name, run) => {
    try {
      checks.push({ name, ok: true, message: await run() });
    } catch (thrown) {
      checks.push({ name, ok: false, message: toReason(thrown).trim() });
    }
  };
  await check("node", async () => process.version);
  await check("settings", async () => (await load()).files.join(", ") || "no files, all defaults");
  // Every further check of the store needs the settings, and would only repeat why they cannot be read.
  if (checks.every(({ ok }) => ok)) await checkLoaded(check, deps);
  if (findKind(join(cwd, pythonSettings)) === "file")
    checks.push({ name: "settings of the Python server", ok: true, message: pythonSettingsIgnored });
  const { findPythonServers } = await import("./agents/client-config.ts");
  const places = Object.values(agentClients).map(({ config }) => config);
  for (const message of await findPythonServers(cwd, places))
    checks.push({ name: "client", ok: false, message });
  return checks;
}

type RunCheck = (name: string, run: () => Promise<string>) => Promise<void>;

/** Makes the checks that need the settings. */
async function checkLoaded(check: RunCheck, { cwd, load, workspace }: WorkspaceDeps): Promise<void> {
  await check("user settings", async () => describeUserFile(await load()));
  await check("workspace settings", async () => describeRefused(await load()));
  await check("tokens", async () => describeTokens(await load()));
  if ((await load()).values.store === "file")
    await check("specs folder", async () => {
      const folder = requireSpecsFolder(await load(), cwd);
      const files = createWorkspaceFiles({ root: folder, privateFolder: sidecarFolder });
      await files.readdir(folder);
      await files.requireWritable(folder);
      await requireKnownFormat(files, join(folder, sidecarFolder));
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
    const faults = problems.map(({ path, message }) => {
      const history = `${programName} specs history ${basename(path, ".json")}`;
      return `${message}. Correct the file, or roll it back to a stored revision: ${history}`;
    });
    if (faults.length > 0) throw new Error(faults.join("; "));
    return `${specs.length} can be read`;
  });
}

/** The settings file of the Python foundry-mcp, in the folder of a workspace. */
const pythonSettings = "foundry-mcp.toml";
const pythonSettingsIgnored = `${pythonSettings} is not read: settings are in foundry.toml`;

/** Returns the path of the user's file, and a note if the file does not exist. */
function describeUserFile({ userFile, files }: LoadedSettings): string {
  if (userFile === undefined) return "none: this user has no home folder";
  return files.includes(userFile) ? userFile : `${userFile} (does not exist)`;
}

/**
 * Lists the settings of the workspace's file that are ignored. Ignored settings are not a failure, because all
 * commands work without these settings.
 */
function describeRefused({ refused }: LoadedSettings): string {
  return refused.map((each) => toSettingWarning(each).message).join(". ") || "all may be set there";
}

/**
 * Returns the number of callers that `serve` accepts. The grants are checked in the same way as when `serve` starts.
 */
async function describeTokens(loaded: LoadedSettings): Promise<string> {
  // The module is imported on demand, because the module loads the code for HTTP.
  const { countGrants } = await import("./token-grants.ts");
  return `${countGrants(loaded) || "none"} for serve`;
}

function toReason(thrown: unknown): string {
  if (isContractError(thrown)) return `${thrown.message}. ${thrown.remediation ?? ""}`;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
