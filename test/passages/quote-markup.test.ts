import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { hideMarkup } from '../../src/passages/shown-text.ts';

const shownOf = (text: string): string => hideMarkup(text).replaceAll('\u00ad', '');

describe('hideMarkup', () => {
  test.each([
    ['emphasis', '**bold** *it* ***both*** _it_ __bo ld__', 'bold it both it bo ld'],
    ['emphasis within emphasis', '(**bold *it* bold**) **_x_**', '(bold it bold) x'],
    ['emphasis over a line end', 'an *old\nman* here', 'an old\nman here'],
    ['emphasis in Chinese', '这是**重点**内容', '这是重点内容'],
    ['emphasis and a footnote', '**bold**[^1], it[^a-b].', 'bold, it.'],
    ['code', 'run `git push` or ``a``', 'run git push or a'],
    ['no marks in code', '`*x*` and `<b>x</b>` and `[a](b.c)`', '*x* and <b>x</b> and [a](b.c)'],
    ['links', '[the docs](http://a/b_(c) "Title") and [one](#two).', 'the docs and one.'],
    ['images', '![a fox](fox.png) and [![fox](f.png)](g.md)', 'a fox and fox'],
    ['tags', '<b>bold</b> <a href="x">link</a> <em><b>x</b></em>', 'bold link x'],
    ['line breaks', 'one<br>two<br />\nthree', 'one two \nthree'],
    ['headings and quotations', '## Head\n> one\n> > two\n>three', ' Head\n one\n  two\nthree'],
    ['lists', '- one\n  * two\n+ three\n• four', ' one\n   two\n+ three\n four'],
    ['lists of numbers', 'Buy:\n\n- 5 apples\n- 6 pears', 'Buy:\n\n 5 apples\n 6 pears'],
    ['fences, rules and underlines', '```sh\nbun *a*\n```\n---\nHead\n====', '\nbun a\n\n\nHead\n'],
    ['escapes', 'a\\_b \\*c \\"d\\" \\d+\\.\\w', 'a_b *c "d" \\d+\\.\\w'],
    ['ellipses', 'a... b . . . c [...] d (…) e…', 'a… b … c … d … e…'],
    ['a full stop before an ellipsis', 'a.... b. . . . c', 'a.… b.… c'],
  ])('hides %s', (_, text, shown) => {
    expect(shownOf(text)).toBe(shown);
  });

  test.each([
    ['products', '2*3*4 and a * b and 2 * 3 * 4'],
    ['pointers and arguments', 'int *p, *q; f(*args, **kwargs)'],
    ['globs', 'src/*.ts and test/*.ts'],
    ['identifiers', 'snake_case_name __init__ __all__ _private'],
    ['types and comparisons', 'Vec<u8> a < b > c if (a<b && b>c)'],
    ['tags that are left open', 'Use <b> rather than <strong>'],
    ['powers and indices', '10<sup>6</sup> and H<sub>2</sub>O'],
    ['struck text', '~~not~~ allowed'],
    ['calls that look like links', 'handlers[name](event.type) and a[i](x.y)'],
    ['brackets', 'an array[0] [citation needed] [a](b)'],
    ['arithmetic over a line end', 'x = a\n  - 5\n  > 4\n  + b'],
    ['hash signs', 'C# and #include and #5'],
    ['emphasis over paragraphs', '*one\n\ntwo*'],
    ['two dots', 'a..b 0..5'],
  ])('leaves %s', (_, text) => {
    expect(hideMarkup(text)).toBe(text);
  });

  test('keeps every offset', () => {
    const marks = fc.constantFrom(
      ...'*_`[](){}<>!\\#->+~=. \n\r\t…^"\'ab12中/:'.split(''),
      'br',
      '```',
      '...',
      '](a.b)',
    );
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        const hidden = hideMarkup(text);
        expect(hidden).toHaveLength(text.length);
        expect([...hidden].every((unit, i) => unit === text[i] || '\u00ad … .'.includes(unit))).toBe(true);
      }),
    );
  });
});
