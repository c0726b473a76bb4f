import { type WarningDetail, warning } from "@foundry-mcp/contract";
import { nameSettingPlaces } from "./setting-places.ts";
import type { SettingName } from "./settings.ts";

/** A setting of a workspace's file that is not used, because a workspace may not set it. */
export interface RefusedSetting {
  readonly name: SettingName;
  /** The file that sets it. */
  readonly file: string;
  /** The settings file of the user, which may set it. */
  readonly userFile: string | undefined;
}

/** The warning of a refused setting, for `meta.warnings` and logs. */
export function toSettingWarning({ name, file, userFile }: RefusedSetting): WarningDetail {
  const message = `Not used: ${file} sets ${name}, which a workspace may not set. Set it ${nameSettingPlaces(name, userFile)}`;
  return { ...warning("SETTING_NOT_USED", message, { setting: name, file }), severity: "warning" };
}
