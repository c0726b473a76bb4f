import { internal } from "@foundry-mcp/contract";
import { budgetParameter, type Parameter } from "../catalogue/input-shape.ts";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import { globalOptions } from "./global-options.ts";
import { spellingsOf as flagSpellings, type ProgramOption } from "./program-option.ts";
import { type TextSource, toTextSources } from "./text-source.ts";
import { isFlag, toValueForm, type ValueForm } from "./value-form.ts";

/** A command-line option for a parameter of an action, or for an alias of a parameter. */
export interface CliOption {
  /** The name that is sent: the name of the parameter, or the alias. */
  readonly key: string;
  /** The name of the parameter. */
  readonly name: string;
  readonly parameter: Parameter;
  readonly form: ValueForm;
  /** The text for people, if the action declares one. */
  readonly help: string | undefined;
  readonly source: TextSource;
  /** The spellings of the option; help shows the first. Empty if the name cannot be written as an option. */
  readonly flags: readonly string[];
  /** The short flag, such as `-s`, if the action declares one. */
  readonly letter: string | undefined;
  /** The flags that set a boolean to false. */
  readonly negations: readonly string[];
  /**
   * The flags that could either set this parameter to false or name another parameter. The parser refuses
   * these flags as ambiguous.
   */
  readonly contested: readonly string[];
}

/** The names of the options that every command takes; a parameter with such a name is written `--arg-…`. */
const reserved: readonly string[] = globalOptions
  .filter(({ yieldsToParameter }) => yieldsToParameter !== true)
  .flatMap(({ flags }) => flagSpellings(flags).map((flag) => flag.slice(2)));

/** The form of a name that can follow two dashes. */
const writable = /^[^\s\p{C}\-=,|<>[\]][^\s\p{C}=,|<>[\]]*$/u;

/**
 * Derives the options of an action. Every parameter keeps the spelling of its own name; an alternative
 * spelling belongs to the first parameter that claims it. If a flag could negate one parameter and name
 * another, neither parameter gets the flag, and users write `--arg-…` for both.
 */
export function toCliOptions(action: PreparedAction): readonly CliOption[] {
  const { input, definition } = action;
  const named = [...input.parameters.keys()].map((name) => ({ key: name, name }));
  const aliases = Object.entries(definition.parameterAliases ?? {}).map(([key, name]) => ({ key, name }));
  const forms = new Map(
    [...input.parameters].map(([name, parameter]) => [name, toValueForm(parameter, input.json["$defs"])]),
  );
  const sources = toTextSources(action, forms);
  const letters = lettersOf(action);
  const texts = (definition.cli === false ? undefined : definition.cli?.help?.parameters) ?? {};
  const all = [...named, ...aliases];
  const contested = findContested(all, forms);
  const owners = new Map<string, string>([...reserved, ...contested.keys()].map((word) => [word, ""]));
  const claim = (word: string, key: string): void => {
    if (writable.test(word) && !owners.has(word)) owners.set(word, key);
  };
  for (const { key } of all) claim(key, key);
  for (const spell of [toKebab, toSnake]) for (const { key } of all) claim(spell(key), key);
  const denied = new Set([...contested.values()].flat());
  for (const { key } of all) {
    const word = toKebab(key);
    if (reserved.includes(word) || contested.has(word) || denied.has(key)) claim(`arg-${word}`, key);
  }
  const options = all.map(({ key, name }) => {
    const words = [...owners].flatMap(([word, owner]) => (owner === key ? [word] : []));
    const shown = words.find((word) => word === toKebab(key)) ?? words.at(-1);
    const flags = [...new Set(shown === undefined ? [] : [shown, ...words])].map((word) => `--${word}`);
    const parameter = input.parameters.get(name) as Parameter;
    const source = sources.get(name) ?? "reference";
    const letter = key === name && flags.length > 0 ? letters.get(name) : undefined;
    const form = forms.get(name) as ValueForm;
    return { key, name, parameter, form, help: texts[name], source, flags, letter };
  });
  return options.map((option) => ({
    ...option,
    negations: isFlag(option.form) ? negate(option) : [],
    contested: [...contested].flatMap(([word, [key]]) => (key === option.key ? [`--${word}`] : [])),
  }));

  function negate({ key, flags }: { readonly key: string; readonly flags: readonly string[] }) {
    const words = flags.map((flag) => `no-${flag.slice(2)}`);
    for (const word of words) claim(word, `not ${key}`);
    return words.flatMap((word) => (owners.get(word) === `not ${key}` ? [`--${word}`] : []));
  }
}

/** Returns the short flags of an action by parameter; throws for an invalid declaration. */
function lettersOf({ definition, input, label }: PreparedAction): ReadonlyMap<string, string> {
  const { cli } = definition;
  const letters = new Map(Object.entries((cli === false ? undefined : cli?.short) ?? {}));
  for (const [name, letter] of letters) {
    const isTaken = [...letters].some(([other, same]) => other !== name && same === letter);
    if (/^[A-Za-z]$/.test(letter) && letter !== "h" && !isTaken && input.parameters.has(name)) continue;
    throw internal(
      `Cannot place ${label} on the command line: "${letter}" for ${name} is taken, no letter, or for no parameter of it`,
    );
  }
  return new Map([...letters].map(([name, letter]) => [name, `-${letter}`]));
}

/**
 * Finds the words that would negate one parameter and name another; maps each word to the parameters that it would
 * negate.
 */
function findContested(
  all: readonly { readonly key: string; readonly name: string }[],
  forms: ReadonlyMap<string, ValueForm>,
): ReadonlyMap<string, readonly string[]> {
  const spellings = new Set(all.flatMap(({ key }) => spellingsOf(key)));
  const contested = new Map<string, string[]>();
  for (const { key, name } of all) {
    const form = forms.get(name);
    if (form === undefined || !isFlag(form)) continue;
    for (const word of new Set(spellingsOf(key).map((spelling) => `no-${spelling}`))) {
      if (spellings.has(word)) contested.set(word, [...(contested.get(word) ?? []), key]);
    }
  }
  return contested;
}

function spellingsOf(key: string): readonly string[] {
  return [key, toKebab(key), toSnake(key)];
}

/**
 * Throws for an action with a parameter that is written like a program option, because the parser could not
 * distinguish the parameter from the option.
 */
export function checkParameters(
  action: PreparedAction,
  options: readonly Pick<ProgramOption, "flags">[],
): void {
  if (options.length === 0) return;
  const taken = new Set(options.flatMap(({ flags }) => flagSpellings(flags)));
  for (const { key, flags, negations, contested } of toCliOptions(action)) {
    const clash = [...flags, ...negations, ...contested].find((flag) => taken.has(flag));
    if (clash === undefined) continue;
    throw internal(
      `Cannot place ${action.label} on the command line: its parameter ${key} is written ${clash}, an option of the program`,
      { remediation: "Give the parameter or the option of the program another name." },
    );
  }
}

/** Returns the options that help shows: one option for each parameter, with the token budget last. */
export function shownOptions(options: readonly CliOption[]): readonly CliOption[] {
  const own = options.filter(({ key, name }) => key === name);
  return own.toSorted((a, b) => Number(a.name === budgetParameter) - Number(b.name === budgetParameter));
}

/** Converts `min_rank` and `minRank` to `min-rank`. */
export function toKebab(name: string): string {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();
}

function toSnake(name: string): string {
  return toKebab(name).replaceAll("-", "_");
}
