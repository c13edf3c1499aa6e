// Rules of clients for a skill's name and description: https://agentskills.io/specification,
// https://platform.claude.com/docs/en/agents-and-tools/agent-skills/overview, https://code.claude.com/docs/en/skills
import { quote, warning, type Client, type Problem } from './problem.ts';
import type { YamlValue } from './strict-yaml.ts';

/** Values of the front matter; null if refused already. */
type Listing = {
  readonly name: string | null;
  readonly description: string | null;
  readonly whenToUse: YamlValue | undefined;
};

type Rule = {
  readonly client: Client;
  readonly code: string;
  readonly broken: (text: string) => boolean;
  readonly reason: string;
  readonly remedy: string;
};

const tag: Omit<Rule, 'reason'> = {
  client: 'claude.ai',
  code: 'upload-tag',
  broken: (text) => /<[/!?]?[\p{L}_][^<>]*>/u.test(text),
  remedy: 'Write it without "<" and ">"',
};

const nameRules: readonly Rule[] = [
  {
    client: 'spec',
    code: 'skill-name-form',
    // Lower-case letters of any script, as the specification's own validator has it.
    broken: (name) => name !== name.toLowerCase() || !/^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u.test(name),
    reason: 'the specification allows lower-case letters, digits and single hyphens between them',
    remedy: 'Rename the skill and its folder',
  },
  {
    client: 'well-known',
    code: 'skill-name-form',
    broken: (name) => !/^[a-z0-9-]+$/.test(name),
    reason: 'the "skills" program takes only a-z, 0-9 and hyphens',
    remedy: 'Rename the skill and its folder',
  },
  {
    client: 'claude.ai',
    code: 'upload-name',
    broken: (name) => /anthropic|claude/i.test(name),
    reason: 'the upload to claude.ai refuses names with "anthropic" or "claude"',
    remedy: 'Rename the skill and its folder',
  },
  { ...tag, reason: 'the upload to claude.ai refuses names with XML tags' },
];

const listedCharacters = 1536;

/** Warnings for a name or description that some client refuses, and for one that Claude Code cuts off. */
export function listingProblems({ name, description, whenToUse }: Listing): Problem[] {
  return [
    ...(name === null ? [] : nameProblems(name)),
    ...(description === null || !tag.broken(description) ? [] : [tagInDescription]),
    ...(typeof whenToUse === 'string' ? cutProblems(`${description ?? ''}${whenToUse}`) : []),
  ];
}

const nameProblems = (name: string): Problem[] =>
  nameRules
    .filter((rule) => rule.broken(name))
    .map(({ client, code, reason, remedy }) =>
      warning(code, 'SKILL.md', `The name ${quote(name)} is not for every agent: ${reason}`, remedy, client),
    );

const tagInDescription = warning(
  tag.code,
  'SKILL.md',
  'The upload to claude.ai refuses descriptions with XML tags',
  tag.remedy,
  tag.client,
);

// A description has at most 1,024 characters: only with "when_to_use" can the listing exceed its limit.
function cutProblems(listed: string): Problem[] {
  const count = [...listed].length;
  if (count <= listedCharacters) return [];
  return [
    warning(
      'listing-cut',
      'SKILL.md',
      `Claude Code shows ${listedCharacters} characters of "description" and "when_to_use", which have ${count} together`,
      'Shorten them, and say first when to use the skill',
      'claude-code',
    ),
  ];
}
