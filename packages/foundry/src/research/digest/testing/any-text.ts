import fc from "fast-check";
import { type CanonicalText, canonicalize, joinPages } from "../canonical-text.ts";

/** Difficult parts of texts: white space, combining marks, surrogates, joined characters, Markdown. */
const trouble = [
  ..." \t\n\r\f\v\u001c\u001d\u001e\u001f\u0085\u00a0\u1680\u2000\u2028\u2029\u202f\u205f\u3000\ufeff\u200b\u180e",
  "\r\n",
  "\n\n",
  "e\u0301",
  "\u0301",
  "\u0344",
  "\u1100\u1161",
  "가\u11a8",
  "😀",
  "👩‍👩‍👧",
  "🇩🇪",
  "👍🏽",
  "❤️",
  "𠮷",
  "\ud83d",
  "\ude00",
  "\0",
  ...'。！？؟۔।….!?"”)]»',
  "\n# ",
  "\n- ",
  "\n1. ",
  "\n| ",
  "\n---\n",
  "\n```ts\n",
  "e.g. ",
  "Mr. ",
  "3.7",
  "https://example.com/a.b?c=d",
];

const words = [
  "tide",
  "tides",
  "The",
  "harbour",
  "climate",
  "change",
  "Прилив",
  "хлеб",
  "ёлка",
  "الماء",
  "والماء",
  "冰川",
  "移动",
  "茶",
  "コーヒー",
  "커피를",
  "किताब",
  "ภาษาไทย",
  "x".repeat(70),
];

/** Generates texts from few different parts, so that repetition is common, and sometimes from all of Unicode. */
export const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...words) },
      { weight: 4, arbitrary: fc.constantFrom(" ", ". ", "。", "\n\n", ", ") },
      { weight: 3, arbitrary: fc.constantFrom(...trouble) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 3 }) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom(...words, ...trouble), fc.integer({ min: 2, max: 700 }))
          .map(([part, times]) => part.repeat(times)),
      },
    ),
    { maxLength: 120, size: "+1" },
  )
  .map((parts) => parts.join(""));

/** Generates canonical texts, a third of them with pages. */
export const anyCanonical: fc.Arbitrary<CanonicalText> = fc.oneof(
  { weight: 2, arbitrary: anyText.map(canonicalize) },
  { weight: 1, arbitrary: fc.array(fc.oneof(fc.constant(""), anyText), { maxLength: 4 }).map(joinPages) },
);
