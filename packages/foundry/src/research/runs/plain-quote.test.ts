import { expect, it } from "vitest";
import { toPlainQuote } from "./plain-quote.ts";

it.each([
  ["See :hg:`help phases`, or :py:class:`Popen`.", "See help phases, or Popen."],
  ["It ends here. .. code-block:: none", "It ends here."],
  ["Before. .. note:: Take care of `x` and ``y``.", "Before. Take care of x and y."],
  ["Run it: ```console docker ps```", "Run it: docker ps"],
  ["a `` b and `open", "a `` b and `open"],
  ["- **Bold** [link](https://a.example) \\_name\\_", "Bold link _name_"],
])("%j is read as %j", (quote, plain) => {
  expect(toPlainQuote(quote)).toBe(plain);
});
