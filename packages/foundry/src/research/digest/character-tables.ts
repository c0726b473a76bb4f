/** Tables over the characters of the Basic Multilingual Plane. */
export interface CharacterTables {
  /** The class of each character: see {@link characterClasses}. */
  readonly classes: Uint8Array;
  /** For each character, the character with which it is compared: without case, accents and spelling variants. */
  readonly folds: Uint16Array;
}

/**
 * The classes of characters. `letter` includes digits. Characters of scripts without spaces between words are
 * `unsegmented` and indexed as bigrams. Marks and joiners are `ignorable`. Each `symbol`, such as ☀, is a term of its
 * own. `other` characters separate words.
 */
export const characterClasses = { other: 0, letter: 1, unsegmented: 2, ignorable: 3, symbol: 4 } as const;

let tables: CharacterTables | undefined;

/** Returns the tables. They are created on the first call, because creating them takes time. */
export function characterTables(): CharacterTables {
  tables ??= createTables();
  return tables;
}

/** Letters that writers of Arabic and Russian use interchangeably. */
const variants: Readonly<Record<string, string>> = {
  أ: "ا",
  إ: "ا",
  آ: "ا",
  ٱ: "ا",
  ى: "ي",
  ی: "ي",
  ک: "ك",
  ة: "ه",
  ؤ: "و",
  ئ: "ي",
  ё: "е",
  Ё: "е",
};

function createTables(): CharacterTables {
  const classes = new Uint8Array(65_536);
  const folds = new Uint16Array(65_536);
  for (let code = 0; code < 65_536; code++) {
    folds[code] = code;
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCharCode(code);
    const characterClass = toClass(character);
    classes[code] = characterClass;
    if (characterClass === characterClasses.letter || characterClass === characterClasses.unsegmented)
      folds[code] = fold(character);
  }
  foldDigits(folds);
  return { classes, folds };
}

/**
 * Scripts that are indexed as bigrams: scripts without spaces between words, and Korean, which joins endings to words.
 */
const unsegmentedScripts =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const letterOrNumber = /[\p{L}\p{N}]/u;
const mark = /\p{M}/u;
/** Scripts in which combining marks are optional. In other scripts, combining marks are vowels. */
const optionalMarkScripts =
  /[\p{Script=Inherited}\p{Script=Common}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u;
/** Tatweel, zero-width joiners and soft hyphens. */
const invisible = /\u0640|\u200c|\u200d|\u00ad/;

function toClass(character: string): number {
  if (invisible.test(character)) return characterClasses.ignorable;
  const isMark = mark.test(character);
  if (isMark && optionalMarkScripts.test(character)) return characterClasses.ignorable;
  if (isMark || letterOrNumber.test(character))
    return unsegmentedScripts.test(character) ? characterClasses.unsegmented : characterClasses.letter;
  return isSymbol(character) ? characterClasses.symbol : characterClasses.other;
}

/** Returns true for a pictograph such as ☀ or ♥. Signs such as © and ™ are not pictographs. */
function isSymbol(character: string): boolean {
  return character > "\u21ff" && /\p{Extended_Pictographic}/u.test(character) && /\p{So}/u.test(character);
}

function fold(character: string): number {
  const variant = variants[character];
  if (variant !== undefined) return variant.charCodeAt(0);
  const plain = character.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  // The letter й decomposes to и with a breve, but is a separate letter.
  if (plain.length !== 1 || /[йЙ]/.test(character)) return character.toLowerCase().charCodeAt(0);
  return plain.charCodeAt(0);
}

/** Maps the digits of every script to ASCII digits. In Unicode, the ten digits of a script follow each other. */
function foldDigits(folds: Uint16Array): void {
  let value = 0;
  for (let code = 0x30; code < 65_536; code++) {
    if (!/\p{Nd}/u.test(String.fromCharCode(code))) value = 0;
    else folds[code] = 0x30 + (value++ % 10);
  }
}
