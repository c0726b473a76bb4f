import type { WarningDetail } from "@foundry-mcp/contract";
import type { LoadedSettings } from "./load-settings.ts";
import { toSettingWarning } from "./refused-setting.ts";
import type { SettingName, Settings } from "./settings.ts";

/**
 * Collects warnings about refused settings that a command reads. A refused setting that no code reads needs no
 * warning.
 */
export class UsedSettings {
  readonly #warnings = new Map<SettingName, WarningDetail>();

  /** The warnings collected so far. */
  get warnings(): readonly WarningDetail[] {
    return [...this.#warnings.values()];
  }

  /** Returns the settings in a proxy that records when a refused setting is read. */
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
