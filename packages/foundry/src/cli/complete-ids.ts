import type { Registry } from "@foundry-mcp/toolkit";
import { type CommandOperands, completeOperand } from "@foundry-mcp/toolkit/cli";
import { findKind, syncCalls } from "@foundry-mcp/toolkit/files";
import type { IdWorkspace } from "../app/list-spec-ids.ts";
import { discoverSpecs } from "../config/discover-specs.ts";
import { findUpwards } from "../config/find-upwards.ts";
import { settingsFileName, toUserSettingsFile } from "../config/user-folders.ts";
import { openFileStore } from "../specs/stores/file-store/file-store.ts";
import { createSpecFiles } from "../specs/stores/file-store/spec-files.ts";
import { createIdResolvers, specVariable } from "./id-resolvers.ts";

/** The commands whose operands are ids. The keys are the words of the commands. */
export type IdCommands = Readonly<Record<string, CommandOperands>>;

/** Lists the commands of a registry with their operands. */
export function toIdCommands(registry: Registry): IdCommands {
  const commands = registry.tools.flatMap((tool) =>
    [...tool.actions.values()].flatMap(
      ({ name, definition: { cli, destructive: isDestructive = false } }) => {
        if (cli === false || cli?.command === undefined || cli.arguments === undefined) return [];
        const operands: CommandOperands = {
          names: cli.arguments,
          isDestructive,
          action: `${tool.name} ${name}`,
        };
        return [cli.command, ...(cli.aliases ?? [])].map((words) => [words, operands] as const);
      },
    ),
  );
  return Object.fromEntries(commands);
}

/** The environment of the process that completes a word, and the functions that it uses. */
export interface CompleteDeps {
  readonly env: Environment;
  readonly cwd: string;
  /** Writes to stdout. */
  readonly write: (text: string) => void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Completes an id without loading the rest of the program, because loading takes longer than reading a directory.
 * Returns false if the rest of the program is needed: if the word is not an id, or if settings determine the location
 * of the specs.
 */
export async function completeIds(
  argv: readonly string[],
  commands: IdCommands,
  { env, cwd, write }: CompleteDeps,
): Promise<boolean> {
  try {
    const [, at = "", , ...words] = argv;
    const index = Number(at) - 1;
    const [first = "", second = ""] = words;
    const two = `${first} ${second}`;
    const [taken, path] = Object.hasOwn(commands, two) ? [2, two] : [1, first];
    const operands = Object.hasOwn(commands, path) ? commands[path] : undefined;
    if (operands === undefined || index < taken) return false;
    const workspace = openIdWorkspace(env, cwd);
    if (workspace === undefined) return false;
    const resolvers = createIdResolvers({ workspace, env });
    const found = await completeOperand(resolvers, operands, words.slice(taken, index), words[index] ?? "");
    if (found === undefined) return false;
    write(found.map((id) => `${id}\n`).join(""));
    return true;
  } catch {
    // The program itself reports the error.
    return false;
  }
}

/** Opens the specs folder that is found without settings. Returns undefined if there may be settings. */
function openIdWorkspace(env: Environment, cwd: string): IdWorkspace | undefined {
  const isSet = Object.keys(env).some((name) => name.startsWith("FOUNDRY_") && name !== specVariable);
  if (isSet || findUpwards(cwd, settingsFileName) !== undefined) return undefined;
  const userFile = toUserSettingsFile(env);
  if (userFile !== undefined && findKind(userFile) !== undefined) return undefined;
  const found = discoverSpecs(cwd);
  if (found === undefined) return undefined;
  const { root, boundary } = found;
  return {
    location: async () => ({ specs_dir: root }),
    store: async () => openFileStore({ root, fs: createSpecFiles(root, { boundary, calls: syncCalls }) }),
  };
}
