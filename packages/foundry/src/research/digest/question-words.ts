/**
 * English function words, and the words that turn a statement into a question. They say nothing about the answer.
 */
const functionWords = new Set(
  "a about above after again all also although always am an and any anybody anyone anything are aren arent as at away be because been before behind being below between both but by can cannot cant could couldn couldnt did didn didnt do does doesn doesnt doing don done dont down during each either else ever every everything few for from further had has hasn hasnt have haven havent having he her here hers him his how however i if in into is isn isnt it its itself just ll let lets like m may maybe me might mine more most much must my myself neither no nor not nothing now of off ok okay on once one ones only onto or other others otherwise ought our ours out over own per please quite rather re really s same shall she should shouldn shouldnt since so some somebody somehow someone something sometimes still such t than that thats the their theirs them themselves then there these they thing things this those though through thus to together too toward towards under until up upon us ve very via want wanted wants was wasn wasnt we were weren werent what whatever whats when whenever where wherever whether which whichever while who whoever whom whose why will with within without won wont would wouldn wouldnt yet you your yours yourself".split(
    " ",
  ),
);

/** Words that questions contain, whatever they ask about. They count for less than other words. */
const genericWords = new Set(
  "actually allow allowed allows already another answer around ask asked back best better call called case cases certain come comes correct correctly day different easily easy effect exactly example explain find first gets get getting give given gives go goes going good happen happened happens help instead keep kind know last list look looking made main make makes making many mean meaning means meant method need needed needs new normal normally number part particular point possible purpose put right say says see seem set several show simple sort start stop tell time tool try trying turn two type types use used useful user uses using usual usually way ways well whole work works wrong".split(
    " ",
  ),
);

/** The weight of a generic word compared with any other word. */
const genericWeight = 0.4;

/** Returns the weight of a folded word of a question: 0 for a function word, less than 1 for a generic word. */
export function questionWeight(word: string): number {
  if (functionWords.has(word) || (word.length === 1 && !/\d/.test(word))) return 0;
  return genericWords.has(word) ? genericWeight : 1;
}
