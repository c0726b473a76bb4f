import { parseArgs } from "node:util";
import { usageMessage } from "../app/usage-message.ts";
import { type SettingName, settingNames } from "../config/settings.ts";

/** The settings that the words of a server's command line name; ends the process where they name none. */
export function parseServerFlags(argv: readonly string[]): Partial<Record<SettingName, string>> {
  const options = Object.fromEntries(
    settingNames.map((name) => [name.replaceAll("_", "-"), { type: "string" as const }]),
  );
  try {
    const { values } = parseArgs({ args: [...argv], options, strict: true, allowPositionals: false });
    return Object.fromEntries(
      settingNames.flatMap((name) => {
        const value = values[name.replaceAll("_", "-")];
        return typeof value === "string" ? [[name, value]] : [];
      }),
    );
  } catch (thrown) {
    // stdout belongs to the protocol, and there is nobody to speak it to.
    process.stderr.write(usageMessage(thrown));
    process.exit(2);
  }
}
