import { type DescribeRemedy, describeRemedy } from "@foundry-mcp/contract";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import { argumentNames } from "./argument-names.ts";
import { toCliOptions } from "./cli-option.ts";
import type { Program } from "./command-tree.ts";
import { toShellCommand } from "./shell-words.ts";
import { toArgvIn } from "./to-argv.ts";
import { isList } from "./value-form.ts";

/**
 * Creates a function that formats remedies as commands that can be pasted; a word in capitals, or the values to choose
 * from, stands for a value that only the user knows. `options` are the program options of this command line, which the next command also
 * needs. Options that contain a URL are not repeated, because a URL may include a password.
 */
export function createCommandWriter(program: Program, options: readonly string[] = []): DescribeRemedy {
  const repeated = options.some((word) => word.includes("://")) ? [] : options;
  return (remedy) => {
    if (!("tool" in remedy)) return describeRemedy(remedy);
    const { tool, action: actionName, arguments: given, needs = [] } = remedy;
    const { command, tree, registry } = program.whole ?? program;
    const action = registry.tools.find((each) => each.name === tool)?.findAction(actionName ?? "");
    // There is no such command if the tool belongs to another server.
    if (action === undefined || tree.commandOf(action) === undefined) return describeRemedy(remedy);
    const args = { ...given, ...toPlaceholders(action, needs) };
    const words = toArgvIn(tree, registry, tool, { action: actionName, ...args });
    return toShellCommand([...command.split(" "), ...words, ...repeated]);
  };
}

/**
 * Creates a function that formats remedies of a failed call of an action: parameters of the call are written as its
 * options, and its operands as help shows them.
 */
export function createCallWriter(action: PreparedAction, describe: DescribeRemedy): DescribeRemedy {
  return (remedy) => {
    if (!("parameter" in remedy)) return describe(remedy);
    const { parameter } = remedy;
    const { cli } = action.definition;
    const options = toCliOptions(action);
    const option = options.find(({ key }) => key === parameter);
    const operands = (cli === false ? undefined : cli?.arguments) ?? [];
    const positional = options.filter(({ key }) => operands.includes(key));
    if (option !== undefined && positional.includes(option)) return `<${argumentNames(positional)(option)}>`;
    const [flag] = (remedy.value === false ? option?.negations : option?.flags) ?? [];
    return flag ?? describe(remedy);
  };
}

function toPlaceholders(action: PreparedAction, needs: readonly string[]): Readonly<Record<string, unknown>> {
  const forms = new Map(toCliOptions(action).map(({ key, form }) => [key, form]));
  return Object.fromEntries(
    needs.map((name) => {
      const form = forms.get(name);
      const isMany = form !== undefined && isList(form);
      const word = toPlaceholder(name, isMany ? form.items?.choices : form?.choices);
      return [name, isMany ? [word] : word];
    }),
  );
}

/** The maximum number of values that a placeholder lists. */
const maxValues = 6;

/** Returns the values to choose from, such as `PASSED|FAILED`; the name in capitals if there are none or too many. */
function toPlaceholder(name: string, choices: readonly unknown[] = []): string {
  const isListed = choices.length > 0 && choices.length <= maxValues;
  return isListed && choices.every((choice) => typeof choice === "string")
    ? choices.join("|")
    : name.toUpperCase();
}
