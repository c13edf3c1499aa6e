// The keys of Agent Skills, https://agentskills.io/specification, and those of Claude Code alone,
// https://code.claude.com/docs/en/skills
import { quote, warning, type Problem } from './problem.ts';
import { didYouMean } from './spelling.ts';
import type { YamlMap, YamlValue } from './strict-yaml.ts';

type Form = { readonly wanted: string; readonly holds: (value: YamlValue) => boolean };

const isText = (value: YamlValue): value is string => typeof value === 'string' && value.trim() !== '';
const isTextMap = (value: YamlValue): boolean =>
  value instanceof Map && [...value.values()].every((entry) => typeof entry === 'string');

/** The specification's six keys; `parseFrontMatter` checks name and description. */
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
    // A comma inside parentheses belongs to one tool, as in "Bash(git add:*, git commit:*)".
    holds: (value) => isText(value) && !value.replace(/\([^()]*\)/g, '').includes(','),
  },
};
const specified = Object.keys(forms);

const claudeCodeKeys = [
  'when_to_use',
  'argument-hint',
  'arguments',
  'disable-model-invocation',
  'user-invocable',
  'disallowed-tools',
  'model',
  'effort',
  'context',
  'agent',
  'background',
  'hooks',
  'paths',
  'shell',
];

/** Warnings for front matter keys that the specification does not know, and for values in another form. */
export function keyProblems(entries: YamlMap): Problem[] {
  const others = [...entries.keys()].filter((key) => !specified.includes(key));
  return [
    ...[...entries].flatMap(([key, value]) => formProblems(key, value)),
    ...others.map((key) => (claudeCodeKeys.includes(key) ? claudeCodeKey(key) : unknownKey(key))),
    ...(others.length === 0 ? [] : [refusedAtUpload(others)]),
  ];
}

function formProblems(key: string, value: YamlValue): Problem[] {
  const form = Object.hasOwn(forms, key) ? forms[key] : null;
  if (!form || form.holds(value)) return [];
  return [
    warning(
      'front-matter-form',
      'SKILL.md',
      `The specification wants ${form.wanted} as "${key}"`,
      `Write ${form.wanted}, or remove the key`,
      'spec',
    ),
  ];
}

const unknownKey = (key: string): Problem =>
  warning(
    'unknown-front-matter-key',
    'SKILL.md',
    `The front matter key ${quote(key)} is not in the Agent Skills specification`,
    didYouMean(key, specified, 'Move it under "metadata", or expect some agents to refuse the skill'),
    'spec',
  );

const claudeCodeKey = (key: string): Problem =>
  warning(
    'claude-code-key',
    'SKILL.md',
    `The front matter key "${key}" works in Claude Code only`,
    'Remove it, or say in "compatibility" that the skill is made for Claude Code',
    'claude-code',
  );

const refusedAtUpload = (keys: readonly string[]): Problem =>
  warning(
    'upload-key',
    'SKILL.md',
    `The upload to claude.ai refuses front matter with ${keys.slice(0, 5).map(quote).join(', ')}${keys.length > 5 ? ' and others' : ''}`,
    'Use the keys of the specification alone; its "metadata" takes any further ones',
    'claude.ai',
  );
