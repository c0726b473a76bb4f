import { formsOf } from "./english-forms.ts";

/** Phrases, such as phrasal verbs, and the single words that a text may use instead. */
const phraseMeanings = `
add up: sum total|at once: simultaneously immediately concurrently|at the same time: simultaneously concurrently parallel|back up: backup save archive|be made of: consist contain comprise|break down: fail crash decompose|bring back: restore recover undelete|bring up: start mention raise|by hand: manual manually|by itself: automatic automatically|call off: cancel|carry on: continue|carry out: execute perform|clean up: remove clear tidy|close down: stop shutdown|come across: encounter find|come back: return reappear|come from: originate derive source|cut off: truncate truncated limit stop|cut down: reduce shorten|each time: every always|fall back: fallback revert default|figure out: determine|fill in: complete enter|fill up: full exhaust|find out: determine discover detect|for ever: permanent infinite indefinitely|get around: avoid bypass workaround circumvent|get back: restore recover retrieve undo|get in: enter access login|get out: exit leave quit|get rid of: remove delete discard eliminate|give away: adopt transfer donate|give back: return release|give up: abandon orphan relinquish surrender stop|go away: disappear vanish|go back: return revert restore previous|go on: continue happen|go over: exceed review|go through: traverse pass|go wrong: fail error problem|went wrong: fail error problem trace|goes wrong: fail error problem|hand over: transfer adopt pass|hang up: disconnect sighup|hold back: delay retain defer|in charge of: responsible|in front of: before|in spite of: despite|keep out: exclude prevent deny|keep track of: record monitor track|leave out: omit exclude skip|leave alone: ignore untouched unchanged|let go: release|log in: login authenticate|log out: logout|look at: view examine inspect|look for: search find seek|look up: find query search list resolve|look into: examine inspect read|made up of: consist contain comprise|make sure: ensure verify guarantee|make up: consist comprise|no longer: obsolete former stop|now and then: occasional occasionally sometimes periodic|of its own accord: automatic automatically|on purpose: deliberately intentionally|on top of: above over|once in a while: occasional occasionally|out of date: outdated obsolete stale|out of order: unordered reorder|over and over: repeatedly repeat|pass on: forward transmit|pick out: select choose|pick up: detect read resume|pull in: import include fetch|put back: restore return replace|put in: insert add install|put off: postpone delay defer|put on: install place|put together: combine assemble merge|roll back: rollback revert undo|run out: exhaust exhausted full|run over: exceed|send back: return reject|set apart: distinguish separate|set aside: reserve|set off: trigger|set up: configure install create setup|show up: appear|shut down: stop halt terminate shutdown|sign up: register subscribe|slow down: delay throttle|sort out: resolve fix|split up: divide separate|start over: restart reset|stay up: running alive|step in: intervene|switch off: disable|switch on: enable|switch over: change toggle|take apart: decompose unpack|take away: remove|take back: undo revert withdraw retract|take in: accept read|take off: remove|take out: remove extract|take over: adopt replace|take part: participate|take up: occupy consume use|tell apart: distinguish differ difference|throw away: discard delete drop|throw out: discard delete drop reject|time out: timeout expire|to blame: responsible cause|try out: test experiment|turn back: revert|turn down: reject refuse|turn off: disable deactivate|turn on: enable activate|turn into: convert transform become|up to date: current latest|use up: exhaust consume|wake up: resume activate|watch out: careful beware|what for: purpose|work out: calculate determine compute|write down: record log store`;

let phrases: ReadonlyMap<string, readonly Phrase[]> | undefined;

interface Phrase {
  readonly words: readonly string[];
  readonly meanings: readonly string[];
}

/** The maximum number of words between the two words of a phrase, as in `turn the light off`. */
const maxGap = 2;

/**
 * Returns single words with the meaning of the phrase that starts at index `at`, or an empty list if no phrase starts
 * there.
 */
export function meaningsOfPhrase(words: readonly string[], at: number): readonly string[] {
  phrases ??= createPhrases();
  const found = (phrases.get(words[at] as string) ?? []).find((phrase) => isAt(phrase, words, at));
  return found?.meanings ?? [];
}

function isAt({ words: [, ...rest] }: Phrase, words: readonly string[], first: number): boolean {
  const isAdjacent = rest.every((word, index) => words[first + 1 + index] === word);
  if (isAdjacent || rest.length > 1) return isAdjacent;
  return words.slice(first + 2, first + 2 + maxGap).includes(rest[0] as string);
}

function createPhrases(): ReadonlyMap<string, readonly Phrase[]> {
  const byFirst = new Map<string, Phrase[]>();
  for (const line of phraseMeanings.trim().split("|")) {
    const [phrase = "", meanings = ""] = line.split(": ");
    const words = phrase.split(" ");
    for (const first of firstForms(words[0] as string)) {
      const known = byFirst.get(first) ?? [];
      known.push({ words, meanings: meanings.split(" ") });
      byFirst.set(first, known);
    }
  }
  return byFirst;
}

function firstForms(word: string): Iterable<string> {
  return formsOf(word).inflections;
}
