import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../catalog/file-scan.ts';
import type { ModelConfig } from '../platform/config/model.ts';
import { completePrompt } from '../asking/engines/choose.ts';
import type { TokenCount } from '../asking/engines/engine.ts';
import { isQuestion, parseQuestions, questionEntry, QUESTIONS } from '../catalog/questions.rule.ts';
import type { Log } from '../platform/base/log.ts';
import { createTextCleaner } from '../asking/model-output.rule.ts';
import { type Prompt, sectionPrompt } from '../asking/prompt.rule.ts';
import { estimateTokens } from '../asking/split.rule.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { type Named, readBookSections } from './local-book.ts';

/** The maximum number of tokens of a section's text in a prompt, and the maximum share of a model's context for it. */
const MOST_TEXT = 4000;
const TEXT_SHARE = 1 / 3;
const REPLY = 150;
const [FEWEST, MOST] = [2, 6];
const LISTED = /^(?:[-*•]|\d{1,2}[.)])\s/;

/**
 * The sections of a book that have no questions yet, each with a prompt that asks a model for some, and an estimate of
 * all tokens.
 */
export type QuestionPlan = TokenCount & {
  readonly folder: string;
  readonly sections: readonly { readonly key: string; readonly prompt: Prompt }[];
};

export function planQuestions(named: Named, model: ModelConfig | null): QuestionPlan {
  const { folder, manifest, sections } = readBookSections(named);
  const { title: book, language } = manifest;
  const most = Math.min(MOST_TEXT, (model?.contextTokens ?? Infinity) * TEXT_SHARE);
  const bare = sections
    .filter(({ hasText, questions }) => hasText && questions.length === 0)
    .map(({ key, headings, text }) => {
      const end = text.length * Math.min(1, most / estimateTokens(text));
      return {
        key,
        prompt: sectionPrompt({ book, language, key, headings }, text.slice(0, end).toWellFormed()),
      };
    });
  const inputTokens = bare.reduce((sum, { prompt }) => sum + estimateTokens(JSON.stringify(prompt)), 0);
  return { folder, sections: bare, inputTokens, outputTokens: bare.length * REPLY };
}

/**
 * Asks a model for questions about each section, and adds them to the book's file before the next section begins. Adds none
 * if the model's reply is unusable.
 */
export async function* writeQuestions({ folder, sections }: QuestionPlan, model: ModelConfig, log: Log) {
  for (const { key, prompt } of sections) {
    const { text, ...tokens } = await completePrompt(model, log, prompt);
    const questions = readReply(text);
    if (questions.length > 0) addEntry(folder, questionEntry(key, questions));
    yield { key, questions, ...tokens };
  }
}

function readReply(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim());
  const listed = lines.filter((line) => LISTED.test(line)).map((line) => line.replace(LISTED, '').trim());
  const asked = listed.map((line) =>
    line.replace(/^"(.*)"$/, (_, quoted: string) => quoted.replaceAll('\\"', '"')).trim(),
  );
  const usable = asked.filter((one) => isQuestion(one) && isVisible(one) && !one.endsWith(':'));
  const folded = usable.map((one) => one.toLowerCase());
  const once = usable.filter((_, n) => folded.indexOf(folded[n]!) === n);
  return once.length < FEWEST ? [] : once.slice(0, MOST);
}

/** Whether a text has no hidden characters, so that readers see all of it: the ask page suggests these questions. */
const isVisible = (text: string): boolean => createTextCleaner().push(text) === text;

/**
 * Appends an entry to the file, which is read again because a person may be editing it. Refuses an entry that would
 * make the file invalid.
 */
function addEntry(folder: string, entry: string): void {
  const before = readText(folder, QUESTIONS) ?? '';
  const added = `${before === '' || before.endsWith('\n') ? '' : '\n'}${entry}`;
  const [problem] = parseQuestions(before + added).problems;
  if (problem !== undefined)
    throw Refusal.invalid(`Cannot add questions to ${QUESTIONS}: ${problem.sentence}. ${problem.remedy}`);
  appendFileSync(join(folder, QUESTIONS), added);
}
