// Agent Skills specification, https://agentskills.io/specification
import { line, paragraph, type Report } from './field.ts';
import { keyProblems } from './front-matter-key.ts';
import { error, quote, type Problem } from './problem.ts';
import { listingProblems } from './skill-listing.ts';
import { parseYaml } from './strict-yaml.ts';
import { LONGEST_SLUG } from './path.ts';

/** The keys of SKILL.md's front matter that a stall uses. */
export type SkillFrontMatter = { readonly name: string; readonly description: string };

const file = 'SKILL.md';

type Result = { frontMatter: SkillFrontMatter | null; problems: readonly Problem[] };

/**
 * Reads the front matter of the SKILL.md in the folder `slug`; tolerates a byte order mark and CRLF. `frontMatter` is null
 * unless both name and description can be read. A name other than the folder's is an error; other rules that some client
 * enforces give a warning that names the client.
 */
export function parseFrontMatter(text: string, slug: string): Result {
  const { frontMatter } = splitSkill(text);
  if (frontMatter === null) return { frontMatter: null, problems: [noFrontMatter] };
  const { entries, problems } = parseYaml(frontMatter, file);
  if (entries === null) return { frontMatter: null, problems };
  const found = [...problems, ...keyProblems(entries)];
  const report: Report = (code, sentence, remedy) => found.push(error(code, file, sentence, remedy));
  const name = entries.has('name')
    ? line(LONGEST_SLUG)(entries.get('name') ?? '', 'name', report)
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
  found.push(...listingProblems({ name, description, whenToUse: entries.get('when_to_use') }));
  return {
    frontMatter: name === null || description === null ? null : { name, description },
    problems: found,
  };
}

/**
 * Cuts SKILL.md at the two "---" lines. The front matter includes the first one, so that a parser's line numbers are those
 * of SKILL.md. If either line is missing, `frontMatter` is null and the whole text is the body.
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

function missing(key: string, report: Report): null {
  report('missing-key', `Cannot find the key "${key}" in the front matter`, `Add a line "${key}: …"`);
  return null;
}
