import type { QuestionCoverage } from '../catalog/questions.rule.ts';
import type { Chapter } from '../catalog/chapters.rule.ts';
import type { Manifest } from '../catalog/item.rule.ts';
import { isMarkdown } from '../catalog/path.rule.ts';
import { type Problem, quote, warning } from '../platform/base/problem.ts';
import {
  parseQuestions,
  QUESTIONS,
  type Questions,
  readSectionName,
  sectionKey,
} from '../catalog/questions.rule.ts';
import { type TextSection, sectionsOf } from '../reading/markup/sections.ts';
import { sha256 } from '../platform/base/runtime.ts';
import { readText } from '../catalog/file-scan.ts';

/** A section of a chapter, in UTF-16 offsets; `words` are its questions in `questions.yaml`, one a line. */
export type AskedRange = { readonly start: number; readonly end: number; readonly words: string };

/**
 * The questions that a book's `questions.yaml` has for sections. `sha256` is the hash of that file; `byPath` has the sections
 * with questions by the chapter's path.
 */
export type SectionQuestions = {
  readonly sha256: string;
  readonly byPath: ReadonlyMap<string, readonly AskedRange[]>;
  readonly coverage: QuestionCoverage;
  readonly problems: readonly Problem[];
};

export type NamedSection = TextSection & { readonly key: string };

const MOST_SUGGESTED = 4;
const MOST_NAMED = 20;

/** Reads a book's `questions.yaml`; null if the file is missing, or cannot be read, which `inspectItem` reports. */
export function readSectionQuestions(
  folder: string,
  { kind }: Manifest,
  chapters: readonly Chapter[],
): SectionQuestions | null {
  const yaml = kind === 'book' ? readText(folder, QUESTIONS) : null;
  const questions = yaml === null ? null : parseQuestions(yaml).questions;
  if (yaml === null || questions === null) return null;
  const byPath = new Map<string, readonly AskedRange[]>();
  const suggested: string[] = [];
  const found = new Set<string>();
  let sections = 0;
  for (const { path } of chapters) {
    const named = listSections(folder, path);
    const asked = named.filter(({ key }) => questions.has(key));
    sections += named.length;
    for (const { key } of asked) found.add(key);
    if (asked.length === 0) continue;
    const wordsOf = ({ key }: NamedSection): string => questions.get(key)!.join('\n');
    byPath.set(
      path,
      asked.map((one) => ({ start: one.start, end: one.end, words: wordsOf(one) })),
    );
    if (suggested.length < MOST_SUGGESTED) suggested.push(questions.get(asked[0]!.key)![0]!);
  }
  const gone = [...questions.keys()].filter((key) => !found.has(key));
  return {
    sha256: sha256(yaml),
    byPath,
    coverage: { sections, asked: found.size, suggested },
    problems: gone.slice(0, MOST_NAMED).map((key) => goneProblem(key, chapters)),
  };
}

export const readQuestions = (folder: string): Questions | null => {
  const yaml = readText(folder, QUESTIONS);
  return yaml === null ? null : parseQuestions(yaml).questions;
};

function goneProblem(key: string, chapters: readonly Chapter[]): Problem {
  const { path } = readSectionName(key);
  const isChapter = chapters.some((chapter) => chapter.path === path);
  return warning(
    'question-section',
    QUESTIONS,
    `Cannot find ${isChapter ? `the section ${quote(key)}` : `the chapter ${quote(path || key)}`}: its questions are left out`,
    'Name a section as "bookstall questions SLUG --sections" prints it',
  );
}

export const listSections = (folder: string, path: string): readonly NamedSection[] =>
  nameSections(path, readText(folder, path) ?? '').filter(({ hasText }) => hasText);

/** Divides a chapter's text into sections with their keys; a heading without text of its own is also a section. */
export function nameSections(path: string, text: string): readonly NamedSection[] {
  const whole = { anchor: null, title: '', level: 1, start: 0, end: text.length, hasText: true };
  const sections = (isMarkdown(path) ? sectionsOf(text) : null) ?? [whole];
  return sections.map((one) => ({ ...one, key: sectionKey({ path, anchor: one.anchor }) }));
}
