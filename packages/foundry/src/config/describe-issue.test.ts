import { isContractError } from "@foundry-mcp/contract";
import { expect, it } from "vitest";
import { parseSetting } from "./load-settings.ts";
import { type SettingName, settingNames, settings } from "./settings.ts";

function refusalOf(name: SettingName, text: string) {
  try {
    parseSetting(name, text, { origin: "--here", cwd: "/" });
  } catch (thrown) {
    if (isContractError(thrown)) return [thrown.message, thrown.options.remediation];
    throw thrown;
  }
  return undefined;
}

it.each<[SettingName, string, string, string]>([
  ["port", "99999", "it must be at most 65535", "Correct port in --here."],
  ["port", "-1", "it must be at least 0", "Correct port in --here."],
  ["port", "none", "it must be a whole number", "Correct port in --here."],
  ["metrics", "perhaps", "it must be true or false", "Correct metrics in --here."],
  [
    "log_level",
    "wran",
    "it must be one of silent, error, warn, info, debug",
    "Did you mean warn? Correct log_level in --here.",
  ],
  ["workspace", "", "it must not be empty", "Correct workspace in --here."],
])("%s %j: %s", (name, text, reason, advice) => {
  expect(refusalOf(name, text)).toEqual([
    `Cannot use the setting ${name} of --here: ${reason}`,
    `${advice} ${settings[name].about}.`,
  ]);
});

it("prints no message of the schema library for any setting", () => {
  const texts = ["", "no such value", "-1", "99999999999", "1.5", "true", "[1]", "[]", "{}"];
  const refusals = settingNames.flatMap((name) =>
    texts.flatMap(
      (text) => refusalOf(name, text)?.[0]?.replace(/^Cannot use the setting \w+ of --here: /, "") ?? [],
    ),
  );
  expect(refusals.length).toBeGreaterThan(settingNames.length);
  expect(refusals.filter((reason) => !/^(?:it|its) (?:must|is|path) [^|]*$/.test(reason))).toEqual([]);
});
