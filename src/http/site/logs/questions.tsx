import type { PagedQuestion } from '../../../service/admin/log-pages.ts';
import { formatBytes } from '../parts/bytes.ts';
import type { LogTable } from './log-table.tsx';

/** The outcomes of questions, in plain words. */
export const OUTCOMES: Readonly<Record<string, string>> = {
  answered: 'Answered',
  quoted: 'Quoted',
  not_covered: 'Not in the book',
  unsupported: 'Not supported by the book',
  declined: 'Declined',
  refused: 'Refused',
  failed: 'Failed',
  abandoned: 'Abandoned',
  running: 'Running',
  interrupted: 'Interrupted',
};

/** Where questions are asked, in plain words. */
const DOORS: Readonly<Record<string, string>> = { api: 'API', page: 'Page', mcp: 'MCP' };

/** The fetch log: every question to a book, but never its text. */
export const questions: LogTable<PagedQuestion> = {
  file: 'bookstall-questions.csv',
  caption: 'Questions to books, newest first; their text is not stored',
  empty: 'No questions yet. Questions that agents ask with one of your keys are listed here.',
  word: { name: 'outcome', label: 'Outcome', values: OUTCOMES },
  columns: ['Asked by', 'Outcome', 'Answer', 'Tokens', 'Took'],
  cells: ({ door, outcome, engine, answerBytes, inputTokens, outputTokens, latencyMs }) => [
    DOORS[door] ?? door,
    <span title={`Engine: ${engine}`}>{OUTCOMES[outcome] ?? outcome}</span>,
    formatBytes(answerBytes),
    inputTokens + outputTokens === 0
      ? '–'
      : `${inputTokens.toLocaleString('en')} in, ${outputTokens.toLocaleString('en')} out`,
    latencyMs === null ? '–' : formatTime(latencyMs),
  ],
  header: [
    'id',
    'book',
    'engine',
    'outcome',
    'answer_bytes',
    'input_tokens',
    'output_tokens',
    'latency_ms',
    'door',
  ],
  record: (row) => [
    row.id,
    row.bookId,
    row.engine,
    row.outcome,
    row.answerBytes,
    row.inputTokens,
    row.outputTokens,
    row.latencyMs,
    row.door,
  ],
  item: ({ bookId }) => ({ kind: 'book', itemKey: bookId, slug: bookId }),
  page: (logs, query, outcome, place) => logs.fetchPage({ ...query, outcome }, place),
  rows: (logs, query, outcome) => logs.fetchRows({ ...query, outcome }),
};

/** `320 ms`, `1.8 s`, `24 s`. */
function formatTime(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  return `${(milliseconds / 1000).toFixed(milliseconds < 9950 ? 1 : 0)} s`;
}
