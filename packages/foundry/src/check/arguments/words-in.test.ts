import { expect, it } from "vitest";
import { wordsIn } from "./words-in.ts";

it.each<[string, string[]]>([
  ["Use dover, calais or ostend.", ["dover", "calais", "ostend"]],
  ["Use dover, calais, or ostend instead.", ["dover", "calais", "ostend"]],
  ["Did you mean port?", ["port"]],
  ["Did you mean book? Use one of: book, list.", ["book", "list"]],
  ["Use one of: a, b, c and 12 more.", ["a", "b", "c"]],
  ["Validation failed: action must be one of list, book", ["list", "book"]],
  ["Available ports: dover, calais", ["dover", "calais"]],
  ["Valid values are 'a', \"b c\" and `d`.", ["a", "b c", "d"]],
  ["Try dover.", ["dover"]],
  ["Name a port, e.g. dover or calais", ["dover", "calais"]],
  ["The port is 'dover'.", ["dover"]],
  ["It isn't the server's fault.", []],
  ["Available offline.", []],
  ["Must be a number.", []],
  ["Choose v1.2 or v1.3.", ["v1.2", "v1.3"]],
  ['List the berths with berth(action="list").', ["list"]],
  ['Choose "b-1", which is free in berth(action="list").', ["b-1", "list"]],
  ["Check your input and try again.", []],
  ["Name a port (e.g. dover)", ["dover"]],
  ["Available: dover (UK), calais (FR)", ["dover", "calais"]],
  ["", []],
])("finds the words in %s", (text, expected) => {
  expect(wordsIn(text)).toEqual(expected);
});
