/** Starts the line before each part of a program, as `scripts/split-program.ts` writes it. */
const marker = "\n//#";
const partLine = /^\/\/#(\w+)$/gm;

/**
 * The text of a program whose modules can be left out. A command uses about a third of the modules, and reading and
 * loading the others would take longer than running the command.
 */
export class ProgramText {
  readonly #text: string;

  constructor(text: string) {
    // The first part has a line break before its marker like all others.
    this.#text = `\n${text}`;
  }

  /** The names of all parts, in the order of the program. */
  get parts(): readonly string[] {
    return [...this.#text.matchAll(partLine)].map(([, name = ""]) => name);
  }

  /** Returns the definition of a module, which is an expression. */
  readModule(name: string): string {
    const text = this.#readPart(name);
    const declaration = `var ${name}=`;
    if (!text.startsWith(declaration)) throw new Error(`The program has no module ${name}.`);
    return text.slice(declaration.length).replace(/;\s*$/, "");
  }

  /** Returns the program with only some of its modules. The other modules are loaded when they are first used. */
  select(used: ReadonlySet<string>): string {
    const parts = this.parts;
    // A program that is not split into modules is not changed.
    if (parts.length === 0) return this.#text;
    const absent = parts.filter((name) => name.startsWith("require_") && !used.has(name));
    const declarations = absent.map((name) => `${name}=$absent("${name}")`).join(",");
    return parts
      .flatMap((name) => {
        if (absent.includes(name)) return [];
        const end = name === "end" && absent.length > 0 ? `var ${declarations};\n` : "";
        return [`//#${name}\n${end}${this.#readPart(name)}`];
      })
      .join("");
  }

  #readPart(name: string): string {
    const line = `${marker}${name}\n`;
    const start = this.#text.indexOf(line);
    if (start < 0) return "";
    const end = this.#text.indexOf(marker, start + line.length);
    return this.#text.slice(start + line.length, end < 0 ? undefined : end + 1);
  }
}
