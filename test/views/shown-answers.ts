import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import type { Canvas, Colors } from "@foundry-mcp/toolkit/terminal";
import { createCliRegistry } from "#built/foundry/app/create-cli-registry.js";
import { root } from "../source-files.ts";

/** A real answer about the sample spec, with its command line. */
export interface Answer {
  readonly command: readonly string[];
  readonly success: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

export const answers = JSON.parse(readFileSync(join(root, "test/views/answers.json"), "utf8")) as Readonly<
  Record<string, Answer>
>;

// Declarations are created without the workspace, because only calls need it.
const workspace = { research: {}, archive: createMemoryArchive() };
const registry = createCliRegistry({ load: undefined, cwd: "", workspace } as never);

/** The commands of the program, each with the view of its answers. */
export const commands = registry.tools.flatMap((tool) =>
  [...tool.actions.values()].flatMap(({ name, definition: { cli } }) => {
    if (cli === false || cli === undefined) return [];
    const names = [cli.command ?? `${tool.name} ${name}`, ...(cli.aliases ?? [])];
    return [{ names, show: cli.show as Show | undefined }];
  }),
);

type Show = (envelope: object, canvas: Canvas) => string | undefined;

/** Finds the view for the answer to a command line. */
export function showOf(words: readonly string[]): Show {
  const found = [2, 1]
    .map((count) => words.slice(0, count).join(" "))
    .flatMap((name) => commands.filter(({ names }) => names.includes(name)));
  const show = found[0]?.show;
  if (show === undefined) throw new Error(`No view of ${words.join(" ")}`);
  return show;
}

const asItIs = (text: string) => text;
const noColors: Colors = { bold: asItIs, dim: asItIs, red: asItIs, green: asItIs, yellow: asItIs };
const between = (on: number, off: number) => (text: string) => `\u001b[${on}m${text}\u001b[${off}m`;
const colors: Colors = {
  bold: between(1, 22),
  dim: between(2, 22),
  red: between(31, 39),
  green: between(32, 39),
  yellow: between(33, 39),
};

/** Returns a canvas for a terminal of the given width. */
export function canvasOf(
  width: number | undefined,
  { isColored = false, unicode = true }: { readonly isColored?: boolean; readonly unicode?: boolean } = {},
): Canvas {
  return { width, unicode, colors: isColored ? colors : noColors, now: "2026-11-18T14:00:00.000Z" };
}

/** Returns the text of an answer on a canvas. */
export function showAnswer({ command, success, data }: Answer, canvas: Canvas): string {
  return showOf(command)({ success, data }, canvas) ?? "";
}

/** Removes the colors of views. */
export function withoutColors(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches the escape sequences of colors
  return text.replaceAll(/\u001b\[(?:1|2|22|31|32|33|39)m/g, "");
}
