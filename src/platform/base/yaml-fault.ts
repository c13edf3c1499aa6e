// Says in a publisher's words what the YAML parser refuses, and in which line the cause is.
import { CST, Lexer, type YAMLParseError } from 'yaml';
import { error, type Problem } from './problem.ts';

const MOST = 5;

type Opening = { readonly mark: string; readonly start: number; readonly end: number };

type Told = readonly [reason: string, remedy: string];

const IN_QUOTES = 'put a text that holds ": " or " #" or begins with a sign in quotation marks';

/** The parser's errors in the words of somebody who writes "key: value" lines. Any other error keeps the parser's words. */
const TOLD: Readonly<Partial<Record<YAMLParseError['code'], Told>>> = {
  MULTIPLE_DOCS: ['a second document begins there', 'Remove the second "---"'],
  BLOCK_AS_IMPLICIT_KEY: [
    'the value has a ": " in it, or lines below it that are indented',
    'Put the value in quotation marks, or begin each key where the others begin',
  ],
  MULTILINE_IMPLICIT_KEY: [
    'it is not a "key: value" line',
    'Write the key before it, or indent it if it belongs to the text above',
  ],
  TAB_AS_INDENT: ['it is indented with a tab', 'Indent with spaces'],
  BAD_SCALAR_START: ['a text cannot begin with that sign', 'Put the text in quotation marks'],
  BAD_DQ_ESCAPE: [
    '"\\" has a meaning of its own between double quotation marks',
    'Write "\\\\", or use single quotation marks',
  ],
  UNEXPECTED_TOKEN: [
    'something follows the end of a value, such as words after a closing quotation mark',
    "Put the whole value between single quotation marks, where ' itself is written twice",
  ],
};

/** Makes the problems of a file from the parser's first five errors. `lineOf` gives the line of an offset. */
export function syntaxProblems(
  yaml: string,
  errors: readonly YAMLParseError[],
  path: string,
  lineOf: (offset: number) => number,
): readonly Problem[] {
  const openings = findOpenings(yaml);
  const problems = errors.slice(0, MOST).map(({ code, message, pos: [at] }) => {
    const opening = openings.find(({ start, end }) => start <= at && at <= end);
    const [reason, remedy] = opening === undefined ? tell(code, message) : unclosed(opening);
    const kind = code === 'MULTIPLE_DOCS' ? 'yaml-second-document' : 'yaml-syntax';
    return error(kind, path, `Cannot parse line ${lineOf(opening?.start ?? at)}: ${reason}`, remedy);
  });
  return [...new Map(problems.map((problem) => [problem.sentence, problem])).values()];
}

function tell(code: YAMLParseError['code'], message: string): Told {
  if (code === 'MISSING_CHAR' && message.endsWith('map values'))
    return ['it is not a "key: value" line', 'Write ": " and the value after the key'];
  const own = message.slice(0, 200).replace(/[\p{Cc}\p{Bidi_Control}]/gu, '?');
  return TOLD[code] ?? [own, `Correct the line; ${IN_QUOTES}`];
}

const unclosed = ({ mark }: Opening): Told =>
  mark === '"' || mark === "'"
    ? [
        `the quotation mark ${mark} that opens there is not closed in that line`,
        mark === "'" ? 'Close it, or write it twice if it is an apostrophe' : 'Close it',
      ]
    : [`the bracket ${mark} that opens there is not closed`, `Close it with ${mark === '[' ? ']' : '}'}`];

/** Finds the quotation marks that do not end in their line, and the brackets that do not end at all. */
function findOpenings(yaml: string): readonly Opening[] {
  const openings: Opening[] = [];
  const brackets: Omit<Opening, 'end'>[] = [];
  let at = 0;
  for (const token of new Lexer().lex(yaml)) {
    const type = CST.tokenType(token);
    const end = at + (isMark(type) ? 0 : token.length);
    if (type === 'flow-seq-start' || type === 'flow-map-start') brackets.push({ mark: token, start: at });
    if (type === 'flow-seq-end' || type === 'flow-map-end') brackets.pop();
    const bracket = type === 'flow-error-end' ? brackets.pop() : undefined;
    if (bracket !== undefined) openings.push({ ...bracket, end: at });
    const mark = token.charAt(0);
    if (isQuoted(type) && (token.includes('\n') || token.length === 1 || !token.endsWith(mark)))
      openings.push({ mark, start: at, end });
    at = end;
  }
  return openings;
}

const isMark = (type: CST.TokenType | null): boolean =>
  type === 'doc-mode' || type === 'flow-error-end' || type === 'scalar';

const isQuoted = (type: CST.TokenType | null): boolean =>
  type === 'double-quoted-scalar' || type === 'single-quoted-scalar';
