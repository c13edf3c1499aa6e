import { stringify } from 'yaml';
import { parseYaml } from '../platform/base/field.ts';
import { error, type Problem, quote } from '../platform/base/problem.ts';

/**
 * The file beside a book's item.yaml that lists, in readers' words, questions that the sections of the book answer. It
 * is never distributed.
 */
export const QUESTIONS = 'questions.yaml';

export const MOST_QUESTIONS = 5_000;
const LONGEST_QUESTION = 200;
const MOST_PROBLEMS = 20;
/** Matches control characters, line breaks, and U+FFFD, which stands for bytes that are not UTF-8. */
const UNREADABLE = /[\p{Cc}\u2028\u2029\ufffd]/u;

/**
 * The questions of each section. The key is `benefits.md#paid-time-off`, or `benefits.md` for the text before the first
 * heading.
 */
export type Questions = ReadonlyMap<string, readonly string[]>;

type SectionName = { readonly path: string; readonly anchor: string | null };

export function parseQuestions(yaml: string): {
  readonly questions: Questions | null;
  readonly problems: readonly Problem[];
} {
  const { entries, problems } = parseYaml(yaml, QUESTIONS);
  if (entries === null) return { questions: null, problems: problems.map(withRemedy) };
  const found = [...problems];
  const report = (code: string, sentence: string, remedy: string): void =>
    void found.push(error(code, QUESTIONS, sentence, remedy));
  const count = [...entries.values()].flatMap((one) => one).length;
  if (count > MOST_QUESTIONS) {
    const remedy = `Keep at most ${MOST_QUESTIONS.toLocaleString('en')}`;
    report('too-many-questions', `Cannot use ${count} questions`, remedy);
    return { questions: null, problems: found.slice(-1) };
  }
  const questions = new Map<string, readonly string[]>();
  for (const [key, value] of entries) {
    const texts = Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
    if (!Array.isArray(value) || texts.length < value.length || texts.length === 0) {
      report(
        'questions-shape',
        `Cannot read the questions of ${quote(key)}: they are no list of texts`,
        SHAPE,
      );
      continue;
    }
    const asked = texts.map((one) => one.trim());
    for (const one of asked.filter((text) => !isQuestion(text)))
      report(
        'question-text',
        `Cannot use the question ${quote(one)} of ${quote(key)}: ${one === '' || one.length > LONGEST_QUESTION ? `it has ${one.length} characters` : 'it has a control character, or bytes that are not UTF-8'}`,
        `Write one line of 1 to ${LONGEST_QUESTION} characters`,
      );
    const twice = asked.find((one, n) => asked.indexOf(one) < n);
    if (twice !== undefined)
      report('question-twice', `Cannot use ${quote(twice)} twice in ${quote(key)}`, 'Keep one of the two');
    questions.set(key, asked);
  }
  return { questions: found.length > 0 ? null : questions, problems: found.slice(0, MOST_PROBLEMS) };
}

const SHAPE =
  'Write a list of questions below each section, such as "- How many days off do I get?"; a file for readers needs another name';

const withRemedy = (problem: Problem): Problem =>
  problem.code === 'yaml-not-a-mapping' ? { ...problem, remedy: SHAPE } : problem;

export const isQuestion = (text: string): boolean =>
  text !== '' && text.length <= LONGEST_QUESTION && !UNREADABLE.test(text) && text.isWellFormed();

export const questionEntry = (key: string, questions: readonly string[]): string =>
  `${scalarOf(key)}:\n${questions.map((one) => `  - ${scalarOf(one)}\n`).join('')}`;

const scalarOf = (text: string): string =>
  stringify(text, { schema: 'failsafe', lineWidth: 0, blockQuote: false, singleQuote: false }).trimEnd();

export function readSectionName(key: string): SectionName {
  const at = key.indexOf('#');
  return at < 0 ? { path: key, anchor: null } : { path: key.slice(0, at), anchor: key.slice(at + 1) };
}

export const sectionKey = ({ path, anchor }: SectionName): string =>
  anchor === null ? path : `${path}#${anchor}`;

export type QuestionCoverage = {
  readonly sections: number;
  readonly asked: number;
  readonly suggested: readonly string[];
};
