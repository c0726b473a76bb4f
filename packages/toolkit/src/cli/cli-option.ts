import { budgetParameter, type Parameter } from "../catalogue/input-shape.ts";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import { isFlag, toValueForm, type ValueForm } from "./value-form.ts";

/** A parameter of an action, or another name of one, as it is given on the command line. */
export interface CliOption {
  /** The name that is sent: the parameter's, or its alias. */
  readonly key: string;
  /** The parameter's present name. */
  readonly name: string;
  readonly parameter: Parameter;
  readonly form: ValueForm;
  /** The ways to write it, the one that is shown first; none where its name cannot be an option. */
  readonly flags: readonly string[];
  /** The ways to say false, of what is true or false only. */
  readonly negations: readonly string[];
}

/** What every command takes, whatever it calls; a parameter of this name is written `--arg-…`. */
const reserved: readonly string[] = ["help", "human", "json", "request-id", "request_id", "timeout"];

/** What can stand after two dashes. */
const writable = /^[^\s\p{C}\-=,|<>[\]][^\s\p{C}=,|<>[\]]*$/u;

/** The options of an action. Every name keeps its own spelling; the others go to who comes first. */
export function toCliOptions({ input, definition }: PreparedAction): readonly CliOption[] {
  const named = [...input.parameters.keys()].map((name) => ({ key: name, name }));
  const aliases = Object.entries(definition.parameterAliases ?? {}).map(([key, name]) => ({ key, name }));
  const owners = new Map<string, string>(reserved.map((word) => [word, ""]));
  const claim = (word: string, key: string): void => {
    if (writable.test(word) && !owners.has(word)) owners.set(word, key);
  };
  const all = [...named, ...aliases];
  for (const { key } of all) claim(key, key);
  for (const spell of [toKebab, toSnake]) for (const { key } of all) claim(spell(key), key);
  for (const { key } of all) if (reserved.includes(toKebab(key))) claim(`arg-${toKebab(key)}`, key);
  const forms = new Map(
    [...input.parameters].map(([name, parameter]) => [name, toValueForm(parameter, input.json["$defs"])]),
  );
  const options = all.map(({ key, name }) => {
    const words = [...owners].flatMap(([word, owner]) => (owner === key ? [word] : []));
    const shown = words.find((word) => word === toKebab(key)) ?? words.at(-1);
    const flags = [...new Set(shown === undefined ? [] : [shown, ...words])].map((word) => `--${word}`);
    const parameter = input.parameters.get(name) as Parameter;
    return { key, name, parameter, form: forms.get(name) as ValueForm, flags };
  });
  return options.map((option) => ({ ...option, negations: isFlag(option.form) ? negate(option) : [] }));

  function negate({ key, flags }: { readonly key: string; readonly flags: readonly string[] }) {
    const words = flags.map((flag) => `no-${flag.slice(2)}`);
    for (const word of words) claim(word, `not ${key}`);
    return words.flatMap((word) => (owners.get(word) === `not ${key}` ? [`--${word}`] : []));
  }
}

/** The options as a person is told of them: each parameter once, the budget that all have last. */
export function shownOptions(options: readonly CliOption[]): readonly CliOption[] {
  const own = options.filter(({ key, name }) => key === name);
  return own.toSorted((a, b) => Number(a.name === budgetParameter) - Number(b.name === budgetParameter));
}

/** `min_rank` and `minRank` as `min-rank`. */
export function toKebab(name: string): string {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
}

function toSnake(name: string): string {
  return toKebab(name).replaceAll("-", "_");
}
