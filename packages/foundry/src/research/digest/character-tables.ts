/** What a character of the first plane is, and what it is folded to. */
export interface CharacterTables {
  /** What each is: see `characterKinds`. */
  readonly kinds: Uint8Array;
  /** Each without case, accents and variants. */
  readonly folds: Uint16Array;
}

/**
 * What a character is: what parts words, a letter or digit, one of a script that is read by pairs, not spoken, a
 * symbol that stands for itself.
 */
export const characterKinds = { other: 0, letter: 1, ideograph: 2, silent: 3, symbol: 4 } as const;

let tables: CharacterTables | undefined;

/** The tables, made when first asked for: that takes a while. */
export function characterTables(): CharacterTables {
  tables ??= createTables();
  return tables;
}

/** Forms of letters that writers of Arabic and Russian use for one another. */
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
  const kinds = new Uint8Array(65_536);
  const folds = new Uint16Array(65_536);
  for (let code = 0; code < 65_536; code++) {
    folds[code] = code;
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCharCode(code);
    const kind = toKind(character);
    kinds[code] = kind;
    if (kind === characterKinds.letter || kind === characterKinds.ideograph) folds[code] = fold(character);
  }
  foldDigits(folds);
  return { kinds, folds };
}

/** Scripts that do not part words, and Korean, which joins endings to them. */
const unparted =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const spoken = /[\p{L}\p{N}]/u;
const mark = /\p{M}/u;
/** Scripts whose marks may be left out; elsewhere they are vowels. */
const sparing =
  /[\p{Script=Inherited}\p{Script=Common}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u;
/** The line that stretches Arabic words, joiners and hyphens that are not seen. */
const unseen = /\u0640|\u200c|\u200d|\u00ad/;

function toKind(character: string): number {
  if (unseen.test(character)) return characterKinds.silent;
  const isMark = mark.test(character);
  if (isMark && sparing.test(character)) return characterKinds.silent;
  if (isMark || spoken.test(character))
    return unparted.test(character) ? characterKinds.ideograph : characterKinds.letter;
  return isSymbol(character) ? characterKinds.symbol : characterKinds.other;
}

/** True for sun and heart, but neither © nor ™. */
function isSymbol(character: string): boolean {
  return character > "\u21ff" && /\p{Extended_Pictographic}/u.test(character) && /\p{So}/u.test(character);
}

function fold(character: string): number {
  const variant = variants[character];
  if (variant !== undefined) return variant.charCodeAt(0);
  const plain = character.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  // й is и with a mark, and another letter all the same.
  if (plain.length !== 1 || /[йЙ]/.test(character)) return character.toLowerCase().charCodeAt(0);
  return plain.charCodeAt(0);
}

/** A number is the same in the digits of any script: they stand in rows of ten. */
function foldDigits(folds: Uint16Array): void {
  let value = 0;
  for (let code = 0x30; code < 65_536; code++) {
    if (!/\p{Nd}/u.test(String.fromCharCode(code))) value = 0;
    else folds[code] = 0x30 + (value++ % 10);
  }
}
