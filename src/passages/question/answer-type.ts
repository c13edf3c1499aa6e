// English questions that ask for a number, a time or a place, and the sentences that can answer them. Reasons and persons
// are left out: they lost more first quotes than they won (test/bench/qa.md).
const NUMBER =
  '\\d|\\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|' +
  'eighty|ninety|hundred|thousand|million|billion|dozen|once|twice|half|quarter|single|both|several|none)s?\\b';
const SPAN = '\\b(?:second|minute|hour|day|night|week|month|year|decade|centur)(?:s|y|ies)?\\b';
const TIME =
  '\\b(?:1\\d{3}|20\\d\\d)s?\\b|\\b(?:january|february|march|april|june|july|august|september|october|november|december|' +
  'monday|tuesday|wednesday|thursday|friday|saturday|sunday|century|today|tomorrow|yesterday|midnight|noon|morning|evening|' +
  'spring|summer|autumn|winter|ago|when|after|before|until|while|once|as soon as|during|every)\\b';
const PLACE = /^\P{L}*where\b|\b(?:what|which) (?:city|country|town|state|river|region|place)\b/iu;
const NAME = /(?<=[\p{L}\p{N},;:)”"’'] )["“‘(]?(\p{Lu}[\p{L}\p{M}’'-]+)/gu;

type Kind = { readonly question: RegExp; readonly answer: RegExp };

const kind = (question: string, answer: string): Kind => ({
  question: new RegExp(question, 'i'),
  answer: new RegExp(answer, 'i'),
});

const KINDS: readonly Kind[] = [
  kind('\\bhow (?:long|soon|often)\\b', SPAN),
  kind(
    '\\bhow (?:many|much|old|large|big|tall|high|far|fast|deep)\\b|\\bwhat (?:number|percentage|percent|share)\\b',
    NUMBER,
  ),
  kind('\\bwhen\\b(?! .{0,60},)|\\b(?:what|which) (?:year|date|day|month|century|decade|time)\\b', TIME),
];

/** A test for sentences that hold the kind of thing that a question asks for; null if its kind is not known. */
export function answerAsked(question: string): ((sentence: string) => boolean) | null {
  const found = KINDS.find(({ question: asks }) => asks.test(question));
  if (found !== undefined) return (sentence) => found.answer.test(sentence);
  if (!PLACE.test(question)) return null;
  const asked = question.toLowerCase();
  return (sentence) =>
    Array.from(sentence.matchAll(NAME)).some(([, name]) => !asked.includes(name!.toLowerCase()));
}
