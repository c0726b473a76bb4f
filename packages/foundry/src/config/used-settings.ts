import type { WarningDetail } from "@foundry-mcp/contract";
import type { LoadedSettings } from "./load-settings.ts";
import { toSettingWarning } from "./refused-setting.ts";
import type { SettingName, Settings } from "./settings.ts";

/**
 * Collects the warnings of refused settings that a command reads: what a setting would have affected follows from the
 * code that reads it.
 */
export class UsedSettings {
  readonly #warnings = new Map<SettingName, WarningDetail>();

  /** The warnings so far. */
  get warnings(): readonly WarningDetail[] {
    return [...this.#warnings.values()];
  }

  /** Returns the settings so that reading a refused one is noticed. */
  watch(loaded: LoadedSettings): LoadedSettings {
    if (loaded.refused.length === 0) return loaded;
    const watched = loaded.refused.map((refused): [SettingName, PropertyDescriptor] => {
      const value = loaded.values[refused.name];
      const get = () => {
        this.#warnings.set(refused.name, toSettingWarning(refused));
        return value;
      };
      return [refused.name, { get, enumerable: true }];
    });
    const values = Object.defineProperties({ ...loaded.values }, Object.fromEntries(watched));
    return { ...loaded, values: values as Settings };
  }
}
