// Agent Skills specification, "Progressive disclosure" and "File references", https://agentskills.io/specification
import { foldCase, isMarkdown, prefixesOf } from './path.ts';
import { splitSkill } from './front-matter.ts';
import { fileLinks, resolveLink } from './link.ts';
import { type Problem, quote, warning } from './problem.ts';

/** A skill's SKILL.md (`text`) and its distributed files; `readText` reads one of those, or gives null. */
type SkillText = {
  readonly text: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly readText: (path: string) => string | null;
};

const file = 'SKILL.md';
const maxLines = 500;
const maxTokens = 5000;
// English, code and JSON have about four bytes a token, Chinese three: precise enough for advice.
const bytesPerToken = 4;
const maxReadBytes = 1024 ** 2;

/** Warnings for a SKILL.md that is too long, links to missing files, or names some files only through others. */
export function bodyProblems({ text, files, readText }: SkillText): Problem[] {
  const { body } = splitSkill(text);
  const found = [...tooManyLines(text), ...tooManyTokens(body)];
  if (Buffer.byteLength(text) > maxReadBytes) return found;
  const linked = new Set(fileLinks(body).map(({ target }) => resolveLink(target, file)));
  const held = new Set(files.flatMap(({ path }) => prefixesOf(path)));
  const references = files.filter(
    ({ path, size }) => linked.has(path) && isMarkdown(path) && path !== file && size <= maxReadBytes,
  );
  const isNamed = (path: string): boolean =>
    path === file || prefixesOf(path).some((prefix) => linked.has(prefix)) || body.includes(path);
  return [
    ...found,
    ...[...linked].filter((path) => isPath(path) && !held.has(path)).map(brokenLink),
    ...wrongCases(body, held, linked).map(wrongCase),
    ...references.flatMap(({ path }) => {
      const hidden = markdownBehind(path, readText(path) ?? '', held).filter((target) => !isNamed(target));
      return hidden.length === 0 ? [] : [deepReference(path, hidden)];
    }),
  ];
}

/** The names in the text that are those of files only if case is ignored, each with the file; links are checked apart. */
function wrongCases(
  body: string,
  held: ReadonlySet<string>,
  linked: ReadonlySet<string>,
): readonly { readonly name: string; readonly path: string }[] {
  const byFolded = new Map([...held].map((path) => [foldCase(path), path]));
  const words = new Set(
    body.match(/[^\s"'`()[\]<>{}*|,;!?“”‘’]+/g)?.map((word) => word.replace(/(?<![.:])[.:]+$/, '')),
  );
  return [...words].flatMap((word) => {
    const name = resolveLink(word, file);
    const path = byFolded.get(foldCase(name));
    // A folder may have the name of a common word, and "skill.md" need not mean this one.
    const isMeant = path !== undefined && path.includes('.') && path !== file;
    return isMeant && !held.has(name) && !linked.has(name) ? [{ name, path }] : [];
  });
}

// "[text](url)" and "[file]({path})" are placeholders, not files.
const isPath = (path: string): boolean => /[./]/.test(path) && !/[<>{}$*|…]|\.{3}/.test(path);

/** The Markdown files that a file links to; links may start from its own folder or, as specified, from the skill's. */
function markdownBehind(path: string, text: string, held: ReadonlySet<string>): string[] {
  const targets = fileLinks(text).map(({ target }) => {
    const beside = resolveLink(target, path);
    return held.has(beside) ? beside : resolveLink(target, file);
  });
  return [...new Set(targets)].filter((target) => isMarkdown(target) && held.has(target) && target !== path);
}

function tooManyLines(text: string): Problem[] {
  const count = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return count <= maxLines ? [] : [tooLong('skill-too-long', `SKILL.md has ${count} lines`, maxLines)];
}

function tooManyTokens(body: string): Problem[] {
  const count = Math.ceil(Buffer.byteLength(body) / bytesPerToken);
  if (count <= maxTokens) return [];
  return [
    tooLong(
      'skill-many-tokens',
      `The body of SKILL.md has about ${count} tokens, at four bytes each`,
      maxTokens,
    ),
  ];
}

const tooLong = (code: string, fact: string, most: number): Problem =>
  warning(
    code,
    file,
    `${fact}, more than ${most}`,
    'Move details into files of their own and link to them',
    'spec',
  );

const brokenLink = (path: string): Problem =>
  warning(
    'broken-link',
    file,
    `SKILL.md links to ${quote(path)}, which the skill does not hold`,
    'Correct the link: it is relative to the skill folder, with "/" and in the same case',
  );

const wrongCase = ({ name, path }: { readonly name: string; readonly path: string }): Problem =>
  warning(
    'name-case',
    file,
    `SKILL.md names ${quote(name)}, but the file is ${quote(path)}`,
    'Write both in the same case: most systems take them for two names',
  );

const deepReference = (path: string, [first = '', ...others]: readonly string[]): Problem =>
  warning(
    'deep-reference',
    path,
    `${quote(path)} leads on to ${quote(first)}${others.length === 0 ? '' : ` and ${others.length} more`}, which SKILL.md does not name`,
    'Link to it from SKILL.md too: the specification wants references one level deep',
    'spec',
  );
