import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writePdf } from "../../packages/foundry/src/research/documents/testing/write-pdf.ts";

/** Unreadable sources by file name, with the reason of each. */
export const badSources: Readonly<Record<string, string>> = {
  "binary.md": "binary",
  "broken.pdf": "broken",
  "charset.txt": "charset",
  "empty.txt": "empty",
  "encrypted.pdf": "encrypted",
  "huge.txt": "too_large",
  "scanned.pdf": "empty",
};

/** Writes all unreadable sources to a folder. The huge source is a sparse file. */
export async function writeBadSources(folder: string): Promise<void> {
  const pages = [["Nobody reads this without its password."]];
  const whole = writePdf({ pages: [["Half of this page is gone."]] });
  const contents: Readonly<Record<string, string | Uint8Array>> = {
    "binary.md": Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]),
    "broken.pdf": whole.subarray(0, 120),
    "charset.txt": Buffer.from("Caf\u00e9, cr\u00e8me br\u00fbl\u00e9e", "latin1"),
    "empty.txt": "",
    "encrypted.pdf": writePdf({ pages, password: "sesame" }),
    "huge.txt": "",
    "scanned.pdf": writePdf({ pages: [[], []] }),
  };
  for (const [name, content] of Object.entries(contents)) await writeFile(join(folder, name), content);
  await truncate(join(folder, "huge.txt"), 200_000_000);
}
