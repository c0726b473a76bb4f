import { dirname } from "node:path";
import { ContractError } from "@foundry-mcp/contract";
import { createWorkspaceFiles, resolveLinks, toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";
import { readSettingsFile } from "../config/read-settings-file.ts";
import { setTomlValue } from "../config/set-toml-value.ts";
import type { SettingName } from "../config/settings.ts";
import { temporaryPath } from "../files/durable/temporary-files.ts";
import { writeAll } from "../files/durable/write-file.ts";

const maxBytes = 1_048_576;
/** The file mode. Only the user can access the file, because the file may contain tokens. */
const mode = 0o600;

/**
 * Sets a setting in the user's file, or removes the setting if the value is undefined. Creates the file if it is
 * missing.
 */
export async function setUserSetting(path: string, name: SettingName, value: unknown): Promise<void> {
  // Reading the settings file throws for an invalid file, because nothing is written into an invalid file.
  await readSettingsFile(path, "user");
  const file = openUserFile(path);
  const text = await file.read();
  const edited = setTomlValue(text ?? "", name, value);
  if (edited === undefined) throw notCertain(path, name);
  if (edited === (text ?? "")) return;
  await file.write(edited);
}

/** Creates the user's file if it is missing, so that an editor opens a file that only the user can read. */
export async function touchUserFile(path: string): Promise<void> {
  const file = openUserFile(path);
  if ((await file.read()) === undefined) await file.write("");
}

function openUserFile(path: string) {
  // Some users keep their settings file in another place and link to it.
  const target = resolveLinks(path) ?? path;
  const folder = dirname(target);
  const files = createWorkspaceFiles({ root: folder, privateFolder: ".", isPersonal: true });
  const failure = (operation: string) => (err: unknown) => {
    throw toFileError(err, `${operation} your settings`, path);
  };
  return {
    read: async () =>
      (await unlessMissing(files.readFile(target, maxBytes)).catch(failure("read")))?.bytes.toString("utf8"),
    write: async (text: string) => {
      const write = async () => {
        await files.mkdir(folder, { mode: 0o700 });
        const temporary = await temporaryPath(target);
        const file = await files.create(temporary, mode);
        try {
          await writeAll(file, [Buffer.from(text)]);
          await file.sync();
        } finally {
          await file.close();
        }
        await files.rename(temporary, target);
        await files.syncFolder(folder);
      };
      await write().catch(failure("write"));
    },
  };
}

function notCertain(path: string, name: SettingName): ContractError {
  return new ContractError(`Cannot set ${name} in ${path}: its TOML is written in an unusual way`, {
    errorCode: "INVALID_STATE",
    remediation: "Nothing was changed. Write it into the file yourself: {1}.",
    remedy: { tool: "config", action: "edit" },
    details: { setting: name },
  });
}
