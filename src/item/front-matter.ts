// Agent Skills specification, https://agentskills.io/specification
import { line, paragraph, type Report } from './field.ts';
import { error, quote, warning, type Problem } from './problem.ts';
import { didYouMean } from './spelling.ts';
import { parseYaml, type YamlMap } from './strict-yaml.ts';

/** What a stall uses of SKILL.md's front matter. */
export type SkillFrontMatter = { readonly name: string; readonly description: string };

const file = 'SKILL.md';
const maxLines = 500;
const knownKeys = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];

type Result = { frontMatter: SkillFrontMatter | null; problems: readonly Problem[] };

/**
 * Reads the front matter of the SKILL.md in the folder `slug`; a byte order mark and CRLF are tolerated.
 * `frontMatter` is null unless both name and description can be read; a name other than the folder's is an error,
 * keys outside the specification and a SKILL.md over 500 lines are warnings.
 */
export function parseFrontMatter(text: string, slug: string): Result {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end =
    lines[0]?.trimEnd() === '---' ? lines.findIndex((row, n) => n > 0 && row.trimEnd() === '---') : -1;
  if (end === -1) return { frontMatter: null, problems: [noFrontMatter] };
  // The opening line goes along, so that problems give the line numbers of SKILL.md.
  const { entries, problems } = parseYaml(lines.slice(0, end).join('\n'), file);
  if (entries === null) return { frontMatter: null, problems };
  const found = [...problems, ...unknownKeys(entries), ...tooManyLines(lines)];
  const report: Report = (code, message, remedy) => found.push(error(code, file, message, remedy));
  const name = entries.has('name')
    ? line(64)(entries.get('name') ?? '', 'name', report)
    : missing('name', report);
  const description = entries.has('description')
    ? paragraph(1024)(entries.get('description') ?? '', 'description', report)
    : missing('description', report);
  if (name !== null && name !== slug)
    report(
      'skill-name',
      `Cannot use the name ${quote(name)} in the folder ${quote(slug)}`,
      'Make the two the same',
    );
  return {
    frontMatter: name === null || description === null ? null : { name, description },
    problems: found,
  };
}

const noFrontMatter = error(
  'no-front-matter',
  file,
  'Cannot find front matter: SKILL.md must begin with a "---" line and close it with another',
  'Begin with "---", "name: …", "description: …", "---"',
);

function missing(key: string, report: Report): null {
  report('missing-key', `Cannot find the key "${key}" in the front matter`, `Add a line "${key}: …"`);
  return null;
}

const unknownKeys = (entries: YamlMap): Problem[] =>
  [...entries.keys()]
    .filter((key) => !knownKeys.includes(key))
    .map((key) =>
      warning(
        'unknown-front-matter-key',
        file,
        `The front matter key ${quote(key)} is not in the Agent Skills specification`,
        didYouMean(key, knownKeys, 'Move it under "metadata", or expect some agents to refuse the skill'),
      ),
    );

function tooManyLines(lines: readonly string[]): Problem[] {
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  if (count <= maxLines) return [];
  return [
    warning(
      'skill-too-long',
      file,
      `SKILL.md has ${count} lines, more than ${maxLines}`,
      'Move details into files of their own and link to them',
    ),
  ];
}
