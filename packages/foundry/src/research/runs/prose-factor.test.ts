import { expect, it } from "vitest";
import { proseFactor } from "./prose-factor.ts";

it.each([
  "The database is safe, even if your OS crashes (or takes a power loss).",
  "潮水每天涨落两次。",
  "يرتفع الماء في المد.",
  "",
])("prose keeps its score: %j", (quote) => {
  expect(proseFactor(quote)).toBe(1);
});

it.each([
  "const { port1, port2 } = new MessageChannel(); port1.on('message', (message) => console.log(message));",
  "| `'MX'` | mail exchange records | {Object} | `dnsPromises.resolveMx()` |",
  "[phases] new-commit = secret",
])("code and tables keep a part of it: %j", (quote) => {
  expect(proseFactor(quote)).toBe(0.7);
});
