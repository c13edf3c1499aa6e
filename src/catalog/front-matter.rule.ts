// Agent Skills specification, https://agentskills.io/specification
import {
  line,
  optional,
  paragraph,
  parseYaml,
  readKeys,
  type ReportProblem,
  type YamlMap,
  type YamlValue,
} from '../platform/base/field.ts';
import {
  didYouMean,
  type ProblemClient,
  error,
  type Problem,
  quote,
  warning,
} from '../platform/base/problem.ts';
import { foldCase, isMarkdown, LONGEST_SLUG, prefixesOf } from './path.rule.ts';
import { fileLinks, resolveLink } from '../platform/base/markdown-link.ts';
import { LONGEST_DESCRIPTION } from './book-skill.rule.ts';
import { findNeeds, type Need, parseNeeds } from './need.rule.ts';

export type SkillFrontMatter = {
  readonly name: string;
  readonly description: string;
  readonly needs?: readonly Need[];
};

const file = 'SKILL.md';

type Result = { frontMatter: SkillFrontMatter | null; problems: readonly Problem[] };

/**
 * Reads the front matter of the SKILL.md in the folder `slug`; a byte order mark and CRLF are accepted. `frontMatter` is
 * null unless name and description can be read. A name that differs from the folder's is an error. For a rule that only
 * some client enforces there is a warning that names the client.
 */
export function parseFrontMatter(text: string, slug: string): Result {
  const { frontMatter } = splitSkill(text);
  if (frontMatter === null) return { frontMatter: null, problems: [noFrontMatter] };
  const { entries, problems } = parseYaml(frontMatter, file);
  if (entries === null) return { frontMatter: null, problems };
  const found = [...problems, ...keyProblems(entries)];
  const report: ReportProblem = (code, sentence, remedy) => found.push(error(code, file, sentence, remedy));
  for (const key of ['name', 'description'])
    if (!entries.has(key))
      report('missing-key', `Cannot find the key "${key}" in the front matter`, `Add a line "${key}: …"`);
  const { name, description } = readKeys(READ_KEYS, entries, report);
  if (name !== null && name !== slug)
    report(
      'skill-name',
      `Cannot use the name ${quote(name)} in the folder ${quote(slug)}`,
      'Make the two the same',
    );
  const metadata = entries.get('metadata');
  const written = metadata instanceof Map ? metadata.get('needs') : undefined;
  const { needs, reason: refused } = parseNeeds(findNeeds(text) ?? '');
  // Programs that install skills find the needs by `findNeeds`, without a YAML parser: both must find the same.
  const reason = (written ?? '') === (findNeeds(text) ?? '') ? refused : 'they are not in one line';
  if (reason !== null)
    report(
      'bad-needs',
      `Cannot read the needs ${quote(String(written ?? findNeeds(text)))}: ${reason}`,
      'Write them in one line under "metadata", as in needs: "shared-utils audit-logger@^2.0.0"',
    );
  for (const [client, code, isBroken, reason, remedy] of nameRules)
    if (name !== null && isBroken(name))
      found.push(advise(client, code, `The name ${quote(name)} is not for every agent: ${reason}`, remedy));
  if (description !== null && hasTag(description)) {
    const sentence = 'The upload to claude.ai refuses descriptions with XML tags';
    found.push(advise('claude.ai', 'upload-tag', sentence, withoutTags));
  }
  // Since a description has at most 1,024 characters, only one with "when_to_use" can exceed the limit of a listing.
  const whenToUse = entries.get('when_to_use');
  const listed = typeof whenToUse === 'string' ? [...(description ?? ''), ...whenToUse].length : 0;
  if (listed > listedCharacters)
    found.push(
      advise(
        'claude-code',
        'listing-cut',
        `Claude Code shows ${listedCharacters} characters of "description" and "when_to_use", which have ${listed} together`,
        'Shorten them, and say first when to use the skill',
      ),
    );
  return {
    frontMatter:
      name === null || description === null
        ? null
        : { name, description, ...(needs.length > 0 && { needs }) },
    problems: found,
  };
}

/**
 * Splits SKILL.md at its two "---" lines into front matter and body. The front matter includes the first of these lines,
 * so that its line numbers are those of SKILL.md. Without both lines `frontMatter` is null, and the body is the whole
 * text.
 */
export function splitSkill(text: string): { frontMatter: string | null; body: string } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end =
    lines[0]?.trimEnd() === '---' ? lines.findIndex((row, n) => n > 0 && row.trimEnd() === '---') : -1;
  return end === -1
    ? { frontMatter: null, body: text }
    : { frontMatter: lines.slice(0, end).join('\n'), body: lines.slice(end + 1).join('\n') };
}

const noFrontMatter = error(
  'no-front-matter',
  file,
  'Cannot find front matter: SKILL.md must begin with a "---" line and close it with another',
  'Begin with "---", "name: …", "description: …", "---"',
);

const READ_KEYS = {
  name: optional(line(LONGEST_SLUG)),
  description: optional(paragraph(LONGEST_DESCRIPTION)),
};

// The front matter keys of Agent Skills, https://agentskills.io/specification, and those that only Claude Code knows,
// https://code.claude.com/docs/en/skills

type Form = { readonly wanted: string; readonly holds: (value: YamlValue) => boolean };

const isText = (value: YamlValue): value is string => typeof value === 'string' && value.trim() !== '';
const isTextMap = (value: YamlValue): boolean =>
  value instanceof Map && [...value.values()].every((entry) => typeof entry === 'string');

/**
 * The six keys of the specification, each with the form of its value; null for name and description, which
 * `parseFrontMatter` checks.
 */
const forms: Readonly<Record<string, Form | null>> = {
  name: null,
  description: null,
  license: { wanted: 'a text', holds: isText },
  compatibility: {
    wanted: 'a text of at most 500 characters',
    holds: (value) => isText(value) && [...value].length <= 500,
  },
  metadata: { wanted: 'a mapping of texts', holds: isTextMap },
  'allowed-tools': {
    wanted: 'one text of tools with spaces between',
    // A comma inside parentheses does not separate tools, as in "Bash(git add:*, git commit:*)".
    holds: (value) => isText(value) && !value.replace(/\([^()]*\)/g, '').includes(','),
  },
};
const specified = Object.keys(forms);

const claudeCodeKeys = (
  'when_to_use argument-hint arguments disable-model-invocation user-invocable disallowed-tools model effort context agent ' +
  'background hooks paths shell'
).split(' ');

const advise = (client: ProblemClient, code: string, sentence: string, remedy: string): Problem =>
  warning(code, file, sentence, remedy, client);

function keyProblems(entries: YamlMap): Problem[] {
  const found: Problem[] = [];
  for (const [key, value] of entries) {
    const form = Object.hasOwn(forms, key) ? forms[key] : null;
    if (!form || form.holds(value)) continue;
    const sentence = `The specification wants ${form.wanted} as "${key}"`;
    found.push(advise('spec', 'front-matter-form', sentence, `Write ${form.wanted}, or remove the key`));
  }
  const others = [...entries.keys()].filter((key) => !specified.includes(key));
  for (const key of others)
    found.push(
      claudeCodeKeys.includes(key)
        ? advise(
            'claude-code',
            'claude-code-key',
            `The front matter key "${key}" works in Claude Code only`,
            'Remove it, or say in "compatibility" that the skill is made for Claude Code',
          )
        : advise(
            'spec',
            'unknown-front-matter-key',
            `The front matter key ${quote(key)} is not in the Agent Skills specification`,
            didYouMean(key, specified, 'Move it under "metadata", or expect some agents to refuse the skill'),
          ),
    );
  if (others.length > 0)
    found.push(
      advise(
        'claude.ai',
        'upload-key',
        `The upload to claude.ai refuses front matter with ${others.slice(0, 5).map(quote).join(', ')}${others.length > 5 ? ' and others' : ''}`,
        'Use the keys of the specification alone; its "metadata" takes any further ones',
      ),
    );
  return found;
}

// Rules of clients for a skill's name and description: https://agentskills.io/specification,
// https://platform.claude.com/docs/en/agents-and-tools/agent-skills/overview, https://code.claude.com/docs/en/skills

const rename = 'Rename the skill and its folder';
const withoutTags = 'Write it without "<" and ">"';
const hasTag = (text: string): boolean => /<[/!?]?[\p{L}_][^<>]*>/u.test(text);

/** The names that some client refuses, each rule with the client, a code, the test, the reason and the remedy. */
const nameRules: readonly (readonly [ProblemClient, string, (name: string) => boolean, string, string])[] = [
  [
    'spec',
    'skill-name-form',
    // Lower-case letters of any script, as the specification's own validator has it.
    (name) => name !== name.toLowerCase() || !/^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u.test(name),
    'the specification allows lower-case letters, digits and single hyphens between them',
    rename,
  ],
  [
    'well-known',
    'skill-name-form',
    (name) => !/^[a-z0-9-]+$/.test(name),
    'the "skills" program takes only a-z, 0-9 and hyphens',
    rename,
  ],
  [
    'claude.ai',
    'upload-name',
    (name) => /anthropic|claude/i.test(name),
    'the upload to claude.ai refuses names with "anthropic" or "claude"',
    rename,
  ],
  ['claude.ai', 'upload-tag', hasTag, 'the upload to claude.ai refuses names with XML tags', withoutTags],
];

const listedCharacters = 1536;

// Agent Skills specification, "Progressive disclosure" and "File references", https://agentskills.io/specification

type SkillText = {
  readonly text: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly readText: (path: string) => string | null;
};

export const LONGEST_SKILL = 500;
const maxTokens = 5000;
// A token has about four bytes in English, code and JSON, and about three in Chinese: precise enough for advice.
const bytesPerToken = 4;
const maxReadBytes = 1024 ** 2;

/**
 * Warns if SKILL.md is too long, links to missing files, or writes a file's name in the wrong case; also if a linked file links
 * on to a Markdown file that SKILL.md does not name.
 */
export function bodyProblems({ text, files, readText }: SkillText): Problem[] {
  const { body } = splitSkill(text);
  const found = lengthProblems(text, body);
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

/** Finds words that name a file in letters of another case, such as `Setup.md` for `setup.md`. Links are checked elsewhere. */
function wrongCases(body: string, held: ReadonlySet<string>, linked: ReadonlySet<string>) {
  const byFolded = new Map([...held].map((path) => [foldCase(path), path]));
  const words = new Set(
    body.match(/[^\s"'`()[\]<>{}*|,;!?“”‘’]+/g)?.map((word) => word.replace(/(?<![.:])[.:]+$/, '')),
  );
  return [...words].flatMap((word) => {
    const name = resolveLink(word, file);
    const path = byFolded.get(foldCase(name));
    // Folders are ignored, since a folder may be named by a common word. SKILL.md is ignored, since "skill.md" may mean
    // the file of another skill.
    const isMeant = path !== undefined && path.includes('.') && path !== file;
    return isMeant && !held.has(name) && !linked.has(name) ? [{ name, path }] : [];
  });
}

// Whether a link's target is a path, not a placeholder as in "[text](url)" and "[file]({path})".
const isPath = (path: string): boolean => /[./]/.test(path) && !/[<>{}$*|…]|\.{3}/.test(path);

/**
 * Lists the Markdown files that a file links to. A link may be relative to the file's own folder, or to the skill's, as
 * the specification says.
 */
function markdownBehind(path: string, text: string, held: ReadonlySet<string>): string[] {
  const targets = fileLinks(text).map(({ target }) => {
    const beside = resolveLink(target, path);
    return held.has(beside) ? beside : resolveLink(target, file);
  });
  return [...new Set(targets)].filter((target) => isMarkdown(target) && held.has(target) && target !== path);
}

function lengthProblems(text: string, body: string): Problem[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const tokens = Math.ceil(Buffer.byteLength(body) / bytesPerToken);
  const lengths = [
    ['skill-too-long', lines, LONGEST_SKILL, `SKILL.md has ${lines} lines`],
    [
      'skill-many-tokens',
      tokens,
      maxTokens,
      `The body of SKILL.md has about ${tokens} tokens, at four bytes each`,
    ],
  ] as const;
  return lengths
    .filter(([, count, most]) => count > most)
    .map(([code, , most, fact]) =>
      advise(
        'spec',
        code,
        `${fact}, more than ${most}`,
        'Move details into files of their own and link to them',
      ),
    );
}

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
