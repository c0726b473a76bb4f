import fc from "fast-check";
import vocabulary from "gpt-tokenizer/bpeRanks/o200k_base";

const bytesOf = (token: string | readonly number[]): Buffer =>
  typeof token === "string" ? Buffer.from(token) : Buffer.from(token);

const pick = (alphabet: string, maxLength: number) =>
  fc.array(fc.constantFrom(...alphabet), { maxLength }).map((units) => units.join(""));

const range = (from: number, to: number, maxLength = 12) =>
  fc.array(fc.integer({ min: from, max: to }), { maxLength }).map((codes) => String.fromCodePoint(...codes));

/** Generates texts from random tokens of the vocabulary, complete or truncated, whose bytes are concatenated. */
const tokenSoup = fc
  .array(fc.tuple(fc.nat(vocabulary.length - 1), fc.nat(3), fc.nat(3)), { maxLength: 8 })
  .map((picks) =>
    Buffer.concat(
      picks.map(([id, head, tail]) => {
        const bytes = bytesOf(vocabulary[id] ?? "");
        return bytes.length > head + tail ? bytes.subarray(head, bytes.length - tail) : bytes;
      }),
    ).toString("utf8"),
  );
const wholeTokens = fc
  .array(fc.oneof(fc.nat(vocabulary.length - 1), fc.nat(9000)), { maxLength: 8 })
  .map((ids) => Buffer.concat(ids.map((id) => bytesOf(vocabulary[id] ?? ""))).toString("utf8"));

const emoji = pick("😀👍🏽🏿👩‍💻❤️🏳️‍🌈🇩🇪🧑🚀✅⚠️\u200d\ufe0f", 12);
const scripts = [
  range(0x00, 0x7f),
  range(0x80, 0x24f),
  range(0x300, 0x3ff),
  range(0x400, 0x52f),
  range(0x530, 0x6ff),
  range(0x900, 0xdff),
  range(0xe00, 0x1fff),
  range(0x2000, 0x2fff),
  range(0x3000, 0x30ff),
  range(0x4e00, 0x9fff),
  range(0xac00, 0xd7a3),
  range(0xd800, 0xffff),
  range(0x1f000, 0x1ffff, 6),
  range(0x10000, 0x10ffff, 6),
];
const code = pick("(){}[];:,.\"'`=<>!&|+-*/ \n\tifretuncosxyz_AB01$", 40);
const adversarial = fc.oneof(
  pick("etaoinshrdlu", 30),
  pick("qxzjkvwQXZJK", 30),
  pick("aAbB'sStTlLrRvVeE ", 30),
  pick("\u0301aA中!  \n\r\t1²ǅʰ", 20),
  pick(" \n\r\t\u3000\u00a0\u2028\ufeff\u0085", 20),
  pick("-=*#/._", 60),
  pick("          \u3000\u2003\u00a0\t\n", 60),
  pick(" 中京、。北ทกाเक“”Зпро가다이ｱﾮapi\n", 20),
);

/** Generates texts without any bias, from random UTF-16 units, code points and bytes. */
export const plainText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.array(fc.nat(0xffff), { maxLength: 30 }).map((units) => String.fromCharCode(...units)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString("utf8")),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("hex")),
  fc.json(),
);

const fragment = fc.oneof(plainText, tokenSoup, wholeTokens, emoji, code, adversarial, ...scripts);

/**
 * Generates texts of every kind in this file, separately and mixed. The estimate must be an upper bound for all of
 * them.
 */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fragment,
  tokenSoup,
  wholeTokens,
  fc.array(fragment, { maxLength: 6 }).map((parts) => parts.join("")),
  fc.array(fragment, { maxLength: 6 }).map((parts) => parts.join(" ")),
);

const rows = Array.from({ length: 20 }, (_, i) => ({
  task_id: `task-${i % 9}-${i % 7}`,
  title: ["Fix the failing login test", "Add pagination to the task list", "Write the documentation"][i % 3],
  status: ["pending", "in_progress", "completed", "blocked"][i % 4],
  created_at: `2026-01-${10 + i}T08:15:00Z`,
  dependencies: i % 3 ? [`task-${i % 8}-1`] : [],
  metadata: { file_path: `src/core/module_${i}.ts`, assignee: null, blocked: false },
}));

/** Ordinary texts, each with the maximum allowed ratio of the estimate to the exact token count. */
export const samples: Readonly<Record<string, { readonly text: string; readonly ratio: number }>> = {
  English: {
    text: "A database is a collection of information that people can search and update. The weather is lovely today, so we're planning to walk through the park and buy some fresh fruit. If an error occurred, please check the log file and contact the administrator. She didn't believe a word of what he told her, but the story stayed with her for years.",
    ratio: 1.6,
  },
  JSON: { text: JSON.stringify(rows), ratio: 1.5 },
  TypeScript: {
    text: "export function readRows(path: string, limit = 20): Row[] {\n  const rows: Row[] = [];\n  for (const line of readLines(path)) {\n    if (rows.length >= limit) break;\n    rows.push(JSON.parse(line));\n  }\n  return rows;\n}\n",
    ratio: 1.4,
  },
  Chinese: {
    text: "数据库是按照数据结构来组织、存储和管理数据的仓库。今天天气很好，我们打算去公园散步。",
    ratio: 2.9,
  },
  Japanese: {
    text: "データベース設計とは、データをどのように保存するかを計画することです。今日は天気がとても良いです。",
    ratio: 2.2,
  },
  Korean: {
    text: "데이터베이스 설계는 데이터 관리를 위한 기반을 구축하는 중요한 과정입니다. 오늘은 날씨가 좋습니다.",
    ratio: 2.9,
  },
  Russian: {
    text: "Задача выполнена; если произошла ошибка, проверьте файл журнала и свяжитесь с администратором.",
    ratio: 2.8,
  },
  Arabic: {
    text: "قاعدة البيانات هي مجموعة منظمة من المعلومات التي يمكن الوصول إليها وتحديثها بسهولة.",
    ratio: 3.5,
  },
  Hebrew: { text: "מסד נתונים הוא אוסף מאורגן של מידע שניתן לגשת אליו ולעדכן אותו בקלות.", ratio: 2.6 },
  Hindi: { text: "आज मौसम बहुत अच्छा है और हम पार्क में टहलने और फल खरीदने की सोच रहे हैं।", ratio: 3 },
  Thai: { text: "วันนี้อากาศดีมาก เราตั้งใจจะไปเดินเล่นที่สวนสาธารณะและซื้อผักผลไม้สด", ratio: 3 },
  Greek: { text: "Σήμερα ο καιρός είναι πολύ καλός και σκοπεύουμε να περπατήσουμε στο πάρκο.", ratio: 2.8 },
  emoji: { text: "👨‍👩‍👧‍👦👍🏽🎉😀😂❤️🔥✨🚀💡✅❌⚠️👩🏿‍💻🏳️‍🌈🇩🇪", ratio: 2.6 },
  digits: { text: "3141592653589793238462643383279502884197", ratio: 1 },
  hex: { text: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", ratio: 1.4 },
  indentation: { text: `{\n${" ".repeat(12)}"a": 1,\n${" ".repeat(200)}"b": 2\n}\n\n\n`, ratio: 1.4 },
};
