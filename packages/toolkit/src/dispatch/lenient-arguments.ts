import { isDeepStrictEqual } from "node:util";
import type { UnknownRecord } from "@foundry-mcp/contract";
import type { InputShape } from "../catalogue/input-shape.ts";
import { type ArgumentFrame, copyOf, keysTo, setMember, toArguments } from "../schema/argument-frame.ts";
import { applicableForms, itemSchemas, memberSchemas } from "../schema/check-members.ts";
import { toFieldName } from "../schema/field-errors.ts";
import type { FormFinder, ObjectForm } from "../schema/object-forms.ts";
import { type ReadType, readText, toReadType } from "../schema/read-text.ts";
import type { JsonSchema } from "../schema/schema.ts";
import type { Reading } from "./reading-warning.ts";

/** Corrected arguments. */
export interface LenientArguments {
  readonly args: UnknownRecord;
  readonly readings: readonly Reading[];
  /** The parameters that were given under two names with different values. */
  readonly twice: readonly string[];
}

/**
 * A frame of the walk that may have been decoded from JSON text; texts inside a decoded frame are not decoded
 * again.
 */
interface Frame extends ArgumentFrame {
  readonly isDecoded: boolean;
}

/**
 * Corrects arguments that their schema refused but whose meaning is certain. Numbers, booleans, lists and objects
 * may be sent as text, names in camelCase instead of snake_case, and enum values in another case. White space
 * around texts of a given form is removed. Walks each value once, without recursion. Returns undefined if there is
 * nothing to correct.
 */
export function readLeniently(
  { json, finder }: InputShape,
  args: UnknownRecord,
  aliases: Readonly<Record<string, string>> = {},
): LenientArguments | undefined {
  const readings: Reading[] = [];
  const twice: string[] = [];
  const root: Frame = { value: args, schemas: [json], above: undefined, key: "", isDecoded: false };
  const frames = [root];
  const readPart = (frame: Frame, key: string | number, value: unknown, schemas: readonly JsonSchema[]) => {
    if (schemas.length === 0) return;
    const read = readValue(value, schemas, finder, frame.isDecoded);
    if (read !== undefined) {
      setMember(copyOf(frame), key, read.value);
      readings.push({ field: toFieldName([...keysTo(frame), key]), as: read.as });
    }
    const inner = read === undefined ? value : read.value;
    if (typeof inner !== "object" || inner === null) return;
    const isDecoded = frame.isDecoded || read !== undefined;
    frames.push({ value: inner, schemas, above: frame, key, isDecoded });
  };
  // The loop also visits frames that are added to the array during the loop.
  for (const frame of frames) {
    const forms = [...new Set(frame.schemas)].map(finder.formsOf);
    if (Array.isArray(frame.value)) {
      const lists = forms.flatMap((each) => each.lists);
      for (const [index, item] of frame.value.entries())
        readPart(frame, index, item, itemSchemas(lists, index));
      continue;
    }
    const objects = forms.flatMap((each) => each.objects);
    if (objects.length === 0) continue;
    const names = frame === root ? aliases : {};
    for (const { from, to, isAlias } of toRenames(frame.value, objects, names)) {
      const path = keysTo(frame);
      const copy = copyOf(frame);
      const value = copy[from];
      delete copy[from];
      // Null means that the parameter is absent, both under its alias and under its current name.
      const other = Object.hasOwn(copy, to) ? copy[to] : undefined;
      const isSecond = isGiven(other) && isGiven(value);
      if (!isGiven(other)) setMember(copy, to, value);
      else if (isSecond && !isSameValue(other, value, memberSchemas(objects, to), finder))
        twice.push(toFieldName([...path, to]));
      // An alias is a valid name, so its use alone is not a correction.
      if (!isAlias || isSecond) readings.push({ field: toFieldName([...path, from]), as: to });
    }
    const object = (frame.copy ?? frame.value) as UnknownRecord;
    const applicable = applicableForms(objects, object);
    for (const name of Object.keys(object)) {
      const takers = applicable.filter((form) => form.isOpen || form.members.has(name));
      if (takers.length > 0) readPart(frame, name, object[name], memberSchemas(takers, name));
    }
  }
  if (readings.length === 0 && twice.length === 0) return undefined;
  return { args: toArguments(root), readings, twice };
}

/**
 * Finds the members to rename: members whose name is an alias or the camelCase form of exactly one known name. An
 * object that admits unknown names keeps its other names.
 */
function toRenames(
  object: object,
  forms: readonly ObjectForm[],
  aliases: Readonly<Record<string, string>>,
): readonly { readonly from: string; readonly to: string; readonly isAlias: boolean }[] {
  const isKnown = (name: string) => forms.some(({ members }) => members.has(name));
  const unknown = Object.keys(object).filter((name) => !isKnown(name));
  if (unknown.length === 0) return [];
  const byCamelCase = new Map<string, string | undefined>();
  const add = (name: string, target: string) => {
    const camel = name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    // If two names have the same camelCase form, the meaning of that form is not certain.
    const isOther = byCamelCase.has(camel) && byCamelCase.get(camel) !== target;
    byCamelCase.set(camel, isOther ? undefined : target);
  };
  if (!forms.some(({ isOpen }) => isOpen)) {
    for (const { members } of forms) for (const name of members.keys()) add(name, name);
    for (const [alias, name] of Object.entries(aliases)) add(alias, name);
  }
  return unknown.flatMap((from) => {
    const isAlias = Object.hasOwn(aliases, from);
    const to = isAlias ? aliases[from] : byCamelCase.get(from);
    return to === undefined ? [] : [{ from, to, isAlias }];
  });
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isSameValue(a: unknown, b: unknown, schemas: readonly JsonSchema[], finder: FormFinder): boolean {
  const [first, second] = [a, b].map((value) => {
    const found = schemas.length === 0 ? undefined : readValue(value, schemas, finder, false);
    return found === undefined ? value : found.value;
  });
  return isDeepStrictEqual(first, second);
}

const words: Readonly<Record<ReadType, string>> = {
  array: "a list",
  boolean: "a boolean",
  integer: "an integer",
  number: "a number",
  object: "an object",
};

/** Converts a text to the only value that it can mean; returns undefined if the text is kept unchanged. */
function readValue(
  value: unknown,
  schemas: readonly JsonSchema[],
  finder: FormFinder,
  isDecoded: boolean,
): { readonly value: unknown; readonly as: string } | undefined {
  if (typeof value !== "string") return undefined;
  const admitted = schemas.map(finder.admittedBy);
  if (admitted.some(({ types }) => types === undefined)) return undefined;
  const types = new Set(admitted.flatMap((each) => [...(each.types ?? [])]));
  const type = toReadType(types);
  if (type !== undefined) {
    const isStructure = type === "array" || type === "object";
    const read = isStructure && isDecoded ? undefined : readText(value, type);
    return read === undefined ? undefined : { value: read, as: words[type] };
  }
  types.delete("null");
  if (types.size !== 1 || !types.has("string")) return undefined;
  const trimmed = value.trim();
  const isAdmitted = (text: string) => admitted.some((each) => each.admitsText(text));
  if (isAdmitted(value)) return undefined;
  if (isAdmitted(trimmed)) return { value: trimmed, as: "the text without the white space around it" };
  const listed = findOtherCase(
    trimmed,
    admitted.map(({ texts }) => texts),
  );
  return listed === undefined ? undefined : { value: listed, as: listed };
}

/**
 * Finds the only enum value that differs from the text only in case; returns undefined if the schema also admits
 * other texts.
 */
function findOtherCase(text: string, lists: readonly (readonly string[] | undefined)[]): string | undefined {
  if (lists.includes(undefined)) return undefined;
  const same = new Set(lists.flatMap((list) => list ?? []).filter((each) => isSameWord(each, text)));
  return same.size === 1 ? [...same][0] : undefined;
}

function isSameWord(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
