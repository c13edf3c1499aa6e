import { formsOf } from './irregular.ts';

// Phrases of a verb and a particle, each group with a word to search for instead and others that mean the same. Only
// groups whose members mean the same in nearly every book: with "go back" and "return", or "give up" and "abandon",
// FairytaleQA lost 0.2 points at five.
const GROUPS = `
login: log in, log on, sign in, sign on, signin
logout: log out, log off, sign out, sign off, signout
signup: sign up, register
backup: back up
shutdown: shut down
lookup: look up
origin: come from, originate, derive
disable: turn off, switch off
enable: turn on, switch on
`;

/** A group's phrases and words, the word to search for first. */
type Group = readonly [string, ...string[]];

const FOUND: ReadonlyMap<string, Group> = new Map(
  GROUPS.trim()
    .split('\n')
    .map((line) => line.split(/: |, /) as [string, ...string[]])
    .flatMap((group) => group.filter((one) => one.includes(' ')).map((phrase) => [phrase, group] as const)),
);
const WORDS: ReadonlyMap<string, Group> = new Map([...FOUND.values()].map((group) => [group[0], group]));
const PHRASE = /(?<!\p{L})(\p{L}+) (in|on|out|off|up|down|from)(?:to)?(?![\p{L}\p{N}'’-])/giu;
const ENDING = /(?:([bdgmnprt])\1(?:ed|ing)|ed|ing|es|s)$/;

/** A question with the word of its group for each phrase: "login" for "logged in" and "signing in". */
export function withoutPhrases(question: string): string {
  return question.replace(PHRASE, (written, verb: string, particle: string) => {
    const found = stemsOf(verb.toLowerCase()).flatMap(
      (stem) => FOUND.get(`${stem} ${particle.toLowerCase()}`) ?? [],
    );
    return found[0] ?? written;
  });
}

/** The words and phrases that mean the same as a word put for a phrase, itself first; the word alone if it is another. */
export function samePhrases(word: string): readonly string[] {
  return WORDS.get(word) ?? [word];
}

/** The dictionary forms that a form of a verb may have. */
function stemsOf(verb: string): readonly string[] {
  const bare = verb.replace(ENDING, '$1');
  return [formsOf(verb)[0]!, verb, bare, `${bare}e`];
}
