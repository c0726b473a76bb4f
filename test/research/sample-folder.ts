import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writePdf } from "../../packages/foundry/src/research/documents/testing/write-pdf.ts";
import { badSources, writeBadSources } from "./bad-sources.ts";

/** The question for each language. */
export const sampleQuestions = {
  en: "When is the tide highest?",
  zh: "潮水什么时候最高？",
  ru: "Когда прилив самый высокий?",
  ar: "متى يكون المد في أعلى مستوى؟",
} as const;

/** The question in all languages. */
export const sampleQuestion = Object.values(sampleQuestions).join(" ");

/** For each language, a sentence that answers the question and sentences that do not. */
const languages = {
  en: {
    answer: (number: number) =>
      `At harbour ${number} the tide is highest ${number} minutes after the moon has passed the south.`,
    filler: (number: number, at: number) =>
      `Ship ${at} of harbour ${number} carried ${number * at} barrels of salt 🧂 and ${at + 7} of wine that year.`,
  },
  zh: {
    answer: (number: number) => `在第${number}号港口，潮水在月亮经过正南之后${number}分钟最高。`,
    filler: (number: number, at: number) =>
      `第${number}号港口的第${at}艘船那一年运了${number * at}桶盐🧂和${at + 7}桶酒，𠮷野号也在其中。`,
  },
  ru: {
    answer: (number: number) =>
      `В гавани ${number} прилив самый высокий через ${number} минут после того, как луна прошла юг.`,
    filler: (number: number, at: number) =>
      `Корабль ${at} из гавани ${number} привёз в тот год ${number * at} бочек соли и ${at + 7} бочек вина.`,
  },
  ar: {
    answer: (number: number) =>
      `في الميناء ${number} يكون المد في أعلى مستوى بعد ${number} دقيقة من مرور القمر.`,
    filler: (number: number, at: number) =>
      `السفينة ${at} من الميناء ${number} حملت ${number * at} برميلا من الملح و${at + 7} برميلا من الخمر في تلك السنة.`,
  },
} as const;

/** A language of the sample, and the name of its folder. */
export type Language = keyof typeof languages;

/** A document of the sample. */
export interface SampleDocument {
  /** The relative path. */
  readonly path: string;
  readonly kind: "digested" | "short" | "duplicate";
  /** The sentence that answers the question. */
  readonly answer?: string;
}

/** The size of a sample. */
export interface SampleOptions {
  readonly count: number;
  /** The number of sentences of each document without the answer. @default 30 */
  readonly sentences?: number;
}

/**
 * Writes documents in four languages and four formats. Most documents are long. Every 20th document is a PDF, every
 * 13th is a single sentence, and every 17th has the text of the document four before it.
 */
export async function writeSample(
  folder: string,
  { count, sentences = 30 }: SampleOptions,
): Promise<readonly SampleDocument[]> {
  const documents: SampleDocument[] = [];
  for (let number = 0; number < count; number++) {
    const isTwice = number % 17 === 16;
    const of = isTwice ? number - 4 : number;
    const isShort = of % 13 === 12;
    const kind = isTwice ? "duplicate" : isShort ? "short" : "digested";
    const language = languageOf(of);
    const texts = textsOf(of, language, isShort ? 0 : sentences);
    const [extension, content] = isShort ? (["txt", texts.join(" ")] as const) : dress(of, texts);
    const path = `${language}/${String(number).padStart(3, "0")}.${extension}`;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
    documents.push({ path, kind, ...(isAnswer(of) ? { answer: languages[language].answer(of) } : {}) });
  }
  return documents;
}

/** Writes other contents of a folder: unreadable files, files that are not documents, and hidden files. */
export async function writeOddities(folder: string): Promise<void> {
  await mkdir(join(folder, "bad"));
  await writeBadSources(join(folder, "bad"));
  await writeFile(join(folder, "photo.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  await writeFile(join(folder, ".hidden.md"), "It is hidden.");
  await mkdir(join(folder, ".git"));
  await writeFile(join(folder, ".git", "notes.md"), "Nobody looks here.");
  await mkdir(join(folder, "node_modules"));
  await writeFile(join(folder, "node_modules", "readme.md"), "Nor here.");
  await symlink("nowhere.md", join(folder, "dangling.md"));
}

/** The number of unreadable documents. */
export const badCount = Object.keys(badSources).length;

function languageOf(number: number): Language {
  return (["en", "zh", "ru", "ar"] as const)[number % 4] ?? "en";
}

/**
 * Returns the texts of a document. Some documents contain the answer, at different positions, but most documents do
 * not.
 */
function textsOf(number: number, language: Language, sentences: number): readonly string[] {
  const { answer, filler } = languages[language];
  const others = Array.from({ length: sentences + 1 }, (_, at) => filler(number, at));
  return isAnswer(number) ? others.with(number % (sentences + 1), answer(number)) : others;
}

/** Returns true for a few documents of each language. */
function isAnswer(number: number): boolean {
  return number % 32 < 4;
}

function dress(
  number: number,
  texts: readonly string[],
): readonly [extension: string, content: string | Uint8Array] {
  const title = `Harbour ${number}`;
  if (number % 40 === 9 || number % 40 === 34) return ["pdf", writePdf({ pages: toPages(texts), title })];
  if (number % 3 === 1) return ["md", `# ${title}\n\n${texts.join("\n\n")}\n`];
  if (number % 3 === 2)
    return [
      "html",
      `<!doctype html><title>${title}</title><script>var tide = "highest";</script><p>${texts.join("</p>\n<p>")}</p>`,
    ];
  return ["txt", texts.join(" ")];
}

/** Wraps a text to lines and pages of a PDF. */
function toPages(texts: readonly string[]): readonly (readonly string[])[] {
  const lines = texts.flatMap((text) => text.match(/.{1,40}(?: |$)|.{1,40}/gu) ?? []);
  const count = Math.ceil(lines.length / 40);
  return Array.from({ length: count }, (_, at) =>
    lines.slice(40 * at, 40 * (at + 1)).map((line) => line.trim()),
  );
}
