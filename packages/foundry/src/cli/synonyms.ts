import { programName } from "../program/program-name.ts";

/** Words of other programs for commands of this program; the error for an unknown command suggests the command. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  "tasks next": ["next", "ready"],
  "tasks complete": [
    ...["complete", "done", "close", "finish"],
    ...["tasks done", "tasks close", "tasks finish", "tasks check", "tasks resolve"],
  ],
  "tasks start": ["start", "begin", "tasks begin", "tasks do", "tasks work"],
  "tasks claim": ["claim", "tasks take"],
  "tasks list": ["tasks ls"],
  "tasks show": ["tasks view", "tasks get", "tasks cat"],
  "tasks tree": ["tree"],
  "tasks add": ["tasks create", "tasks new"],
  "tasks remove": ["tasks delete", "tasks rm", "tasks del"],
  "tasks update": ["tasks edit", "tasks set", "tasks rename"],
  "specs list": ["list", "ls", "status", "specs ls"],
  "specs show": ["show", "view", "specs view", "specs cat"],
  "specs search": ["search", "grep", "specs grep"],
  "specs create": ["create", "new", "add", "specs new", "specs add"],
  "specs edit": ["open"],
  "specs history": ["history", "log", "specs log"],
  "specs diff": ["diff"],
  "specs export": ["export"],
  "specs import": ["import"],
  "specs delete": ["delete", "rm", "remove", "specs rm", "specs remove", "specs del"],
  "lifecycle complete": ["specs complete", "specs done", "specs close", "specs finish"],
  "lifecycle activate": ["activate", "specs start", "specs open", "specs activate"],
  "lifecycle archive": ["archive", "specs archive"],
  "modify update-spec": ["specs rename", "specs update"],
  "config list": ["settings"],
};

/** The groups that have a second name, with that name. */
const groupAliases: Readonly<Record<string, string>> = { tasks: "task", specs: "spec" };

/** Returns the words, and the words with the second name of their group. */
function spellingsOf(words: string): readonly string[] {
  const [group = "", command] = words.split(" ");
  const alias = groupAliases[group];
  return command === undefined || alias === undefined ? [words] : [words, `${alias} ${command}`];
}

/** The command that each synonym means. */
export const synonymCommands: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(synonyms).flatMap(([command, words]) =>
    words.flatMap(spellingsOf).map((each) => [each, command]),
  ),
);

/** The sentence about each synonym. */
export const synonymAdvice: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(synonymCommands).map(([words, command]) => [
    words,
    `Did you mean ${programName} ${command}?`,
  ]),
);
