import { type DescribeRemedy, describeRemedy } from "@foundry-mcp/contract";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import { toCliOptions } from "./cli-option.ts";
import type { Program } from "./command-tree.ts";
import { toShellCommand } from "./shell-words.ts";
import { toArgvIn } from "./to-argv.ts";
import { isList } from "./value-form.ts";

/**
 * Writes remedies as commands that can be pasted; a value that only the user knows is a word in capitals. `options` are the
 * program options of this line, which the next one needs too; addresses, which may hold a password, are not repeated.
 */
export function createCommandWriter(
  { command, tree, registry }: Program,
  options: readonly string[] = [],
): DescribeRemedy {
  const repeated = options.some((word) => word.includes("://")) ? [] : options;
  return (remedy) => {
    if (!("tool" in remedy)) return describeRemedy(remedy);
    const { tool, action: actionName, arguments: given, needs = [] } = remedy;
    const action = registry.tools.find((each) => each.name === tool)?.findAction(actionName ?? "");
    // The tool may be one of another server.
    if (action === undefined || tree.commandOf(action) === undefined) return describeRemedy(remedy);
    const args = { ...given, ...toPlaceholders(action, needs) };
    const words = toArgvIn(tree, registry, tool, { action: actionName, ...args });
    return toShellCommand([...command.split(" "), ...words, ...repeated]);
  };
}

function toPlaceholders(action: PreparedAction, needs: readonly string[]): Readonly<Record<string, unknown>> {
  const lists = new Set(
    toCliOptions(action)
      .filter(({ form }) => isList(form))
      .map(({ key }) => key),
  );
  return Object.fromEntries(
    needs.map((name) => {
      const word = name.toUpperCase();
      return [name, lists.has(name) ? [word] : word];
    }),
  );
}
