/** The forms of irregular verbs, nouns and adjectives. Each group is one word. */
const irregularGroups = `
arise arose arisen|awake awoke awoken|bear bore borne born|beat beaten|become became|begin began begun beginning|bend bent|bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen choice|cling clung|come came|creep crept|deal dealt|dig dug|do did done does doing|draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone goes|grind ground|grow grew grown growth|hang hung|have had has|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known knowledge|lay laid|lead led|lean leant|learn learnt|leave left|lend lent|lie lay lain lying|light lit|lose lost loss|make made|mean meant|meet met|mistake mistook mistaken|override overrode overridden|overwrite overwrote overwritten|pay paid|prove proven proof|rebuild rebuilt|redo redid redone|rewrite rewrote rewritten|ride rode ridden|ring rang rung|rise rose risen|run ran|rerun reran|say said|see saw seen|seek sought|sell sold|send sent|resend resent|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken speech|spell spelt|spend spent|spill spilt|spin spun|split splitting|spring sprang sprung|stand stood|steal stole stolen|stick stuck|strike struck stricken|strive strove striven|swear swore sworn|sweep swept|swell swollen|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown|undergo underwent undergone|understand understood|undo undid undone|unbind unbound|upset|wake woke woken|wear wore worn|weave wove woven|weep wept|win won|wind wound|withdraw withdrew withdrawn withdrawal|withhold withheld|wring wrung|write wrote written|
man men|woman women|child children|foot feet|tooth teeth|mouse mice|goose geese|person people|ox oxen|leaf leaves|life lives|knife knives|wife wives|half halves|self selves|shelf shelves|wolf wolves|datum data|medium media|criterion criteria|phenomenon phenomena|index indices indexes|matrix matrices|vertex vertices|appendix appendices|analysis analyses|basis bases|crisis crises|hypothesis hypotheses|axis axes|schema schemata schemas|
good better best|bad worse worst|far farther further furthest|little less least|many more most|long longer longest length|wide width|deep depth|high height|strong strength|broad breadth|large larger largest|big bigger biggest|fast faster fastest|slow slower slowest|
apply application applied|deny denial|try trial tried|reply replies replied|specify specification specified|notify notification|verify verification|modify modification|identify identification identifier|classify classification|multiply multiplication|simplify simplification|qualify qualification|configure configuration config configurable|permit permission permitted|decide decision|divide division|include inclusion inclusive|exclude exclusion exclusive|extend extension extent|expand expansion|convert conversion|describe description|subscribe subscription|receive reception receipt|resolve resolution|solve solution|define definition|maintain maintenance|retain retention|prevent prevention|destroy destruction|produce production|reduce reduction|introduce introduction|compress compression|decompress decompression|explain explanation|require requirement requisite|repeat repetition|compare comparison|choose choice|refer reference referred|differ difference different|prefer preference preferred|occur occurrence occurred|recur recurrence recursion recursive|defer deferred deferral|transfer transferred transferral|control controlled controlling|compile compiler compilation|arrive arrival|remove removal|approve approval|retrieve retrieval|renew renewal|survive survival|fail failure|press pressure|close closure|expose exposure|erase erasure|seize seizure|mix mixture|succeed success successful|proceed procedure process|exceed excess excessive|access accessible|encrypt encryption encrypted|decrypt decryption|author authorship|authenticate authentication auth|authorize authorization authorise authorisation|initialize initialization initialise initialisation init|synchronize synchronization synchronise sync|asynchronous async|administer administrator administration admin|repository repositories repo repos|directory directories dir dirs|environment env|argument arguments arg args|parameter parameters param params|variable variables var vars|maximum max maximal|minimum min minimal|number numbers num|character characters char chars|string strings str|integer integers int|boolean bool|function functions func|information info|document documents documentation doc docs|specification spec specs|temporary temp tmp|statistic statistics stats stat|reference references ref refs|message messages msg|command commands cmd|image images img|database databases db|application applications app apps|password passwords passwd passphrase|second seconds sec secs|minute minutes|megabyte megabytes mb mib|kilobyte kilobytes kb kib|gigabyte gigabytes gb gib|byte bytes|percent percentage`;

const vowels = /[aeiou]/;
const consonants = /[^aeiou\W\d_]/;

let groups: ReadonlyMap<string, readonly string[]> | undefined;

function irregularForms(): ReadonlyMap<string, readonly string[]> {
  if (groups !== undefined) return groups;
  const map = new Map<string, string[]>();
  for (const group of irregularGroups.trim().split(/\s*\|\s*/)) {
    const words = group.split(" ");
    for (const word of words) map.set(word, [...(map.get(word) ?? []), ...words]);
  }
  groups = map;
  return map;
}

/** The forms of a word. */
export interface WordForms {
  /** The word itself and its inflections. */
  readonly inflections: ReadonlySet<string>;
  /** Words of the same family, such as `deletion` for `delete`. */
  readonly derivations: ReadonlySet<string>;
  /** The verb of an agent noun, such as `contain` for `container`, which often means something else. */
  readonly relatives: ReadonlySet<string>;
}

/**
 * Returns the forms of an English word. Some forms do not exist in English; these forms match nothing and do no harm.
 * A word of another language gets forms, too, which seldom exist in that language.
 */
export function formsOf(word: string): WordForms {
  const inflections = new Set([word]);
  const derivations = new Set<string>();
  const irregular = irregularForms().get(word) ?? [];
  const bases = new Set([...basesOf(word), ...irregular].filter((base) => base.length > 2 || base === word));
  for (const base of bases) for (const form of inflect(base)) inflections.add(form);
  for (const base of bases) for (const each of irregularForms().get(base) ?? []) inflections.add(each);
  const roots = new Set([...bases, ...rootsOf(word)]);
  for (const root of roots)
    for (const form of [...inflect(root), ...derive(root)]) if (!inflections.has(form)) derivations.add(form);
  const relatives = new Set<string>();
  for (const verb of verbsOf(word))
    for (const form of inflect(verb))
      if (!inflections.has(form) && !derivations.has(form)) relatives.add(form);
  return { inflections, derivations, relatives };
}

/** Returns the words of which a word may be an inflection. */
function basesOf(word: string): readonly string[] {
  if (word.length < 4 || /\d/.test(word)) return [word];
  const bases = [word];
  const stripped = (ending: string) => word.slice(0, -ending.length);
  if (word.endsWith("ies")) bases.push(`${stripped("ies")}y`);
  else if (/(?:[sxz]|[cs]h|o)es$/.test(word)) bases.push(stripped("es"), stripped("s"));
  else if (/[^su]s$/.test(word)) bases.push(stripped("s"));
  if (word.endsWith("ied")) bases.push(`${stripped("ied")}y`);
  else if (word.endsWith("ed") && vowels.test(stripped("ed")))
    bases.push(...undouble(stripped("ed")), stripped("d"));
  if (word.endsWith("ing") && vowels.test(stripped("ing")) && word.length > 5)
    bases.push(...undouble(stripped("ing")), `${stripped("ing")}e`);
  return bases;
}

/** Returns a stem, and the stem with a doubled last letter removed. */
function undouble(stem: string): readonly string[] {
  const last = stem.at(-1) ?? "";
  return last === stem.at(-2) && consonants.test(last) ? [stem, stem.slice(0, -1)] : [stem];
}

/** Returns a base with the regular English endings. */
function inflect(base: string): readonly string[] {
  if (base.length < 2) return [base];
  const forms = [base, `${base}s`, `${base}es`];
  if (base.endsWith("e")) forms.push(`${base}d`, `${base.slice(0, -1)}ing`);
  else if (/[^aeiou]y$/.test(base))
    forms.push(`${base.slice(0, -1)}ies`, `${base.slice(0, -1)}ied`, `${base}ing`);
  else {
    forms.push(`${base}ed`, `${base}ing`);
    const last = base.at(-1) ?? "";
    if (/[aeiou][bdgklmnprtvz]$/.test(base)) forms.push(`${base}${last}ed`, `${base}${last}ing`);
  }
  return forms;
}

/** Endings that make another word of a verb or adjective. */
const endings =
  "er ers or ors ion ions ation ations ment ments able ably ible ly ness al ity ance ence ant ent ive ful less".split(
    " ",
  );

/** The endings of agent nouns, whose verb often means something else, as in `container` and `folder`. */
const agentEndings: readonly string[] = ["er", "ers", "or", "ors"];

function derive(root: string): readonly string[] {
  if (root.length < 4) return root.length < 3 ? [] : [`${root}er`, `${root}ers`, `${root}${root.at(-1)}er`];
  const stem = root.endsWith("e") ? root.slice(0, -1) : root.endsWith("y") ? `${root.slice(0, -1)}i` : root;
  return [
    ...endings.flatMap((ending) =>
      stem === root ? [`${root}${ending}`] : [`${root}${ending}`, `${stem}${ending}`],
    ),
    ...["un", "re", "de", "dis"].map((prefix) => `${prefix}${root}`),
  ];
}

/** Returns the words of which a word may be derived. */
function rootsOf(word: string): readonly string[] {
  const roots: string[] = [];
  for (const ending of endings)
    if (!agentEndings.includes(ending)) roots.push(...withoutEnding(word, ending));
  if (/^(?:un|re|de)\w{5}/.test(word)) roots.push(word.slice(2));
  return roots;
}

/** Returns the verbs of which a word may be the agent noun. */
function verbsOf(word: string): readonly string[] {
  return agentEndings.flatMap((ending) => withoutEnding(word, ending));
}

function withoutEnding(word: string, ending: string): readonly string[] {
  if (!word.endsWith(ending) || word.length - ending.length < 4) return [];
  const stem = word.slice(0, -ending.length);
  return [...undouble(stem), `${stem}e`, ...(stem.endsWith("i") ? [`${stem.slice(0, -1)}y`] : [])];
}
