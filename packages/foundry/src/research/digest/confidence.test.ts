import { expect, it } from "vitest";
import { canonicalize } from "./canonical-text.ts";
import { digestText } from "./digest-text.ts";

const source = canonicalize(
  [
    "# Release notes",
    "## 2.4.0",
    "The option --quiet hides the progress. Lines of the log will be hidden from the output, too.",
    "Type declarations begin with a capital letter now. A missing file is an error.",
    "## 2.3.0",
    "The cache is cleared at the start. Its folder may be named in the settings.",
    "Two readers may open the same file. A writer waits until both have closed it.",
  ].join("\n\n"),
);
const ask = (query: string) => digestText(source, `sha256:${"0".repeat(64)}`, { query, snippets: 1 });

it.each([
  ["How do I hide a line?", "strong"],
  ["Where do I name the folder of the cache?", "strong"],
  ["What is the capital of France?", "none"],
  ["quarterly revenue", "none"],
])("the confidence for %j is %s", (query, confidence) => {
  const { answerability, digest } = ask(query);
  expect(answerability?.confidence).toBe(confidence);
  expect(digest?.summary === "").toBe(confidence === "none");
});

it("a quote names its section, and irregular forms match", () => {
  const { digest, sections } = ask("How do I hide a line?");
  expect(digest?.evidence_snippets[0]?.text).toContain("will be hidden from the output");
  expect(sections).toEqual([{ path: ["Release notes", "2.4.0"] }]);
});

it("says which words were looked for, and which are missing", () => {
  const { answerability } = ask("What is the capital of France?");
  expect(answerability).toEqual({ confidence: "none", sought: ["capital", "france"], missing: ["france"] });
});

const harbours = {
  ru: "Прилив приходит дважды в сутки. Высота прилива зависит от луны и ветра.\n\nРыбу продают на причале каждое утро. Лодки возвращаются в гавань до рассвета.\n\nМаяк построили сто лет назад. Его свет виден за двадцать километров.",
  ar: "يرتفع الماء في المد مرتين كل يوم. ويتوقف ارتفاع المد على القمر والرياح.\n\nيباع السمك على الرصيف كل صباح. وتعود القوارب إلى الميناء قبل الفجر.\n\nبنيت المنارة قبل مئة عام. ويرى ضوؤها من مسافة عشرين كيلومترا.",
  zh: "潮水每天涨落两次。潮水的高度取决于月亮和风。\n\n每天早上码头上卖鱼。渔船在黎明前回到港口。\n\n灯塔是一百年前建造的。它的灯光在二十公里外也能看见。",
};

it.each([
  ["ru", "От чего зависит высота прилива?", "strong"],
  ["ru", "Как испечь ржаной хлеб?", "none"],
  ["ar", "على ماذا يتوقف ارتفاع المد؟", "strong"],
  ["ar", "كيف أخبز خبز الشعير؟", "none"],
  ["zh", "潮水的高度取决于什么？", "strong"],
  ["zh", "怎么烤黑麦面包？", "none"],
] as const)("the confidence in %s for %j is %s", (language, query, confidence) => {
  const { answerability } = digestText(canonicalize(harbours[language]), `sha256:${"0".repeat(64)}`, {
    query,
  });
  expect(answerability?.confidence).toBe(confidence);
});

it("a name that only one passage mentions is no subject of the text", () => {
  const text = canonicalize(
    "Backups are copied to another disk at night. The editor saves backups of a file, too.\n\nEmacs is one such editor.\n\nA backup takes an hour. Old backups are removed after a week.",
  );
  const { answerability } = digestText(text, `sha256:${"0".repeat(64)}`, {
    query: "How do I set the font of Emacs?",
  });
  expect(answerability?.confidence).not.toBe("strong");
});
