import { describe, expect, test } from 'bun:test';
import { changelogProblems, findNotes } from '../../src/catalog/changelog.rule.ts';

const notesOf = (changelog: string, version: string | null, changes: string | null = null) =>
  findNotes({ version, changes }, changelog);

const CHANGELOG = `# Changelog

## Unreleased

Not yet.

## [1.2.0] - 2026-11-22

### Added

- A heron.

## v1.1.0

Old. See \`## 1.0.0\`.

\`\`\`md
## 1.0.0
in a fence
\`\`\`

## 1.0.0

First.
`;

describe('findNotes', () => {
  test.each<[string, string | null]>([
    ['1.2.0', '### Added\n\n- A heron.'],
    ['1.1.0', 'Old. See `## 1.0.0`.\n\n```md\n## 1.0.0\nin a fence\n```'],
    ['1.0.0', 'First.'],
    ['1.0', null],
    ['2.0', null],
    ['.', null],
    ['', null],
  ])('of the version %p is %p', (version, notes) => {
    expect(notesOf(CHANGELOG, version)).toBe(notes);
  });

  test.each<[string, string, boolean]>([
    ['## 1.2.0', '1.2.0', true],
    ['# v1.2.0', '1.2.0', true],
    ['### [1.2.0](https://example.org) - today', '1.2.0', true],
    ['## Version 1.2.0.', '1.2.0', true],
    ['   ## 1.2.0', '1.2.0', true],
    ['## 11.2.0', '1.2.0', false],
    ['## 1.2.0.1', '1.2.0', false],
    ['## 1.2.0-rc.1', '1.2.0', false],
    ['## 1.2.0-rc.1 and 1.2.0', '1.2.0', true],
    ['    ## 1.2.0', '1.2.0', false],
    ['##1.2.0', '1.2.0', false],
    ['## second edition', 'second edition', true],
  ])('the heading %p holds %p: %p', (heading, version, isNamed) => {
    expect(notesOf(`${heading}\n\nText\n`, version)).toBe(isNamed ? 'Text' : null);
  });

  test('without a section are the changes of item.yaml, else there are none', () => {
    expect(notesOf(CHANGELOG, '3.0', 'By hand')).toBe('By hand');
    expect(notesOf(CHANGELOG, null, 'By hand')).toBe('By hand');
    expect(notesOf('', '1.2.0', null)).toBeNull();
    expect(notesOf('## 1.2.0\n\n## 1.1.0\n\nOld\n', '1.2.0', null)).toBeNull();
  });

  test('are cut after 4,000 characters, never inside one', () => {
    const notes = notesOf(`## 1\n${'😀'.repeat(5000)}`, '1') ?? '';
    expect([[...notes].length, notes.endsWith('😀…'), notes.isWellFormed()]).toEqual([4000, true, true]);
  });

  test('of a megabyte of headings are found', () => {
    expect(notesOf(`${'# 1.1\n'.repeat(170_000)}# 1.2\nNew`, '1.2')).toBe('New');
    expect(notesOf('```\n~~~\n'.repeat(130_000), '1.2')).toBeNull();
    expect(notesOf(`# ${'1'.repeat(1_000_000)}`, '1.2')).toBeNull();
  });
});

describe('changelogProblems', () => {
  test.each<[string, string | null, boolean]>([
    ['## 1.2.0\n\n## 1.1.0', '1.2.0', false],
    ['## Unreleased\n\n## 1.2.0', '1.2.0', false],
    ['## 1.2.0', '1.3.0', true],
    ['## Unreleased', '1.3.0', false],
    ['# History of the marsh', '1.3.0', false],
    ['## 1.2.0', null, false],
  ])('%p with the version %p warns: %p', (changelog, version, warns) => {
    const codes = changelogProblems({ version }, changelog).map(
      ({ code, severity }) => `${severity} ${code}`,
    );
    expect(codes).toEqual(warns ? ['warning changelog-version'] : []);
  });
});
