import { type WarningDetail, warning } from "@foundry-mcp/contract";
import { nameSettingPlaces } from "./setting-places.ts";
import type { SettingName } from "./settings.ts";

/** A setting in a workspace's file that is ignored because a workspace may not set it. */
export interface RefusedSetting {
  readonly name: SettingName;
  /** The file that contains the setting. */
  readonly file: string;
  /** The user's settings file, which may contain this setting. */
  readonly userFile: string | undefined;
}

/** Creates the warning about a refused setting, for `meta.warnings` and logs. */
export function toSettingWarning({ name, file, userFile }: RefusedSetting): WarningDetail {
  const message = `Not used: ${file} sets ${name}, which a workspace may not set. Set it ${nameSettingPlaces(name, userFile)}`;
  return { ...warning("SETTING_NOT_USED", message, { setting: name, file }), severity: "warning" };
}
