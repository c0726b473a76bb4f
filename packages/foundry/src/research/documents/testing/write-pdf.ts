import { createHash } from "node:crypto";

/** The content of a PDF. */
export interface PdfContent {
  /** The lines of each page, in any script. */
  readonly pages: readonly (readonly string[])[];
  readonly title?: string;
  /**
   * The user password, which may be empty. Without a password, the PDF is not encrypted.
   * @default none
   */
  readonly password?: string;
}

/** Writes an uncompressed PDF, with a font that has a ToUnicode map. */
export function writePdf({ pages, title, password }: PdfContent): Uint8Array {
  const points = [...new Set(pages.flat().flatMap((line) => [...line]))];
  const codes = new Map(points.map((point, at) => [point, (at + 1).toString(16).padStart(4, "0")]));
  const lock = password === undefined ? undefined : createLock(password);
  const objects: Buffer[] = [];
  const write = (number: number, text: string) => {
    objects[number] = Buffer.from(text, "latin1");
  };
  const seal = (number: number, data: Buffer) => lock?.seal(number, data) ?? data;
  const writeStream = (number: number, text: string) => {
    const data = seal(number, Buffer.from(text, "latin1"));
    const head = Buffer.from(`<</Length ${data.length}>>\nstream\n`);
    objects[number] = Buffer.concat([head, data, Buffer.from("\nendstream")]);
  };
  const first = 7;
  const pageNumbers = pages.map((_, at) => first + 2 * at);

  write(1, "<</Type/Catalog/Pages 2 0 R>>");
  write(
    2,
    `<</Type/Pages/Count ${pages.length}/Kids[${pageNumbers.map((each) => `${each} 0 R`).join(" ")}]>>`,
  );
  write(
    3,
    "<</Type/Font/Subtype/Type0/BaseFont/Test/Encoding/Identity-H/DescendantFonts[4 0 R]/ToUnicode 5 0 R>>",
  );
  write(
    4,
    "<</Type/Font/Subtype/CIDFontType2/BaseFont/Test/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 600/FontDescriptor<</Type/FontDescriptor/FontName/Test/Flags 4/FontBBox[0 0 600 800]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>>>",
  );
  writeStream(5, toCharacterMap(codes));
  const titleHex = seal(6, Buffer.from(`\ufeff${title ?? ""}`, "utf16le").swap16()).toString("hex");
  write(6, title === undefined ? "<<>>" : `<</Title<${titleHex}>>>`);
  pages.forEach((lines, at) => {
    const number = first + 2 * at;
    write(
      number,
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 3 0 R>>>>/Contents ${number + 1} 0 R>>`,
    );
    const shown = lines.map((line) => `<${[...line].map((point) => codes.get(point)).join("")}> Tj T*`);
    writeStream(
      number + 1,
      lines.length === 0 ? "0 0 m 9 9 l S" : `BT /F 12 Tf 14 TL 50 750 Td ${shown.join(" ")} ET`,
    );
  });
  const last = first + 2 * pages.length;
  if (lock !== undefined) write(last, lock.dictionary);

  const encrypt = lock === undefined ? "" : `/Encrypt ${last} 0 R/ID[<${lock.id}><${lock.id}>]`;
  return writeObjects(objects.slice(1), `/Info 6 0 R${encrypt}`);
}

/** Writes a PDF from objects. The first object is the catalog. */
export function writeObjects(contents: readonly (string | Buffer)[], trailer = ""): Uint8Array {
  const header = Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1");
  const objects = contents.map((content, at) =>
    Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(content), Buffer.from("\nendobj\n")]),
  );
  let offset = header.length;
  const rows = objects.map((object) => {
    const row = `${String(offset).padStart(10, "0")} 00000 n \n`;
    offset += object.length;
    return row;
  });
  const size = rows.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}`;
  const end = `trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${offset}\n%%EOF\n`;
  return Buffer.concat([header, ...objects, Buffer.from(table + end)]);
}

function toCharacterMap(codes: ReadonlyMap<string, string>): string {
  const rows = [...codes].map(
    ([point, code]) => `<${code}> <${Buffer.from(point, "utf16le").swap16().toString("hex")}>`,
  );
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Test def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${rows.length} beginbfchar
${rows.join("\n")}
endbfchar endcmap CMapName currentdict /CMap defineresource pop end end`;
}

/** Creates the standard security handler of revision 3, which uses RC4 with keys of 128 bits. */
function createLock(password: string) {
  const md5 = (...parts: readonly Uint8Array[]) => createHash("md5").update(Buffer.concat(parts)).digest();
  const padding = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");
  const pad = (text: string) => Buffer.concat([Buffer.from(text, "latin1"), padding]).subarray(0, 32);
  const often = (times: number, start: Buffer, step: (each: Buffer, at: number) => Buffer) =>
    Array.from({ length: times }).reduce<Buffer>((each, _, at) => step(each, at), start);
  const turned = (key: Buffer, data: Buffer) =>
    often(20, data, (each, at) => rc4(key.map((byte) => byte ^ at) as Buffer, each));

  const id = md5(Buffer.from("test"));
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const owner = turned(
    often(51, pad("owner"), (each) => md5(each)),
    pad(password),
  );
  const key = often(50, md5(pad(password), owner, permissions, id), (each) => md5(each));
  const user = Buffer.concat([turned(key, md5(padding, id)), Buffer.alloc(16)]);
  return {
    id: id.toString("hex"),
    dictionary: `<</Filter/Standard/V 2/R 3/Length 128/P -4/O<${owner.toString("hex")}>/U<${user.toString("hex")}>>>`,
    seal: (number: number, data: Buffer) =>
      rc4(md5(key, Buffer.from([number & 0xff, number >> 8, 0, 0, 0])), data),
  };
}

/** Encrypts data with RC4. The algorithm is implemented here, because OpenSSL 3 no longer includes it. */
function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at);
  const at = (index: number) => state[index & 255] as number;
  const swap = (a: number, b: number) => {
    [state[a], state[b]] = [at(b), at(a)];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] as number)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255;
      j = (j + at(i)) & 255;
      swap(i, j);
      return byte ^ at(at(i) + at(j));
    }),
  );
}
