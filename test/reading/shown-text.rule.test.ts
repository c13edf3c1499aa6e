import { expect, test } from 'bun:test';
import { createItemLinks } from '../../src/reading/item-links.ts';
import { summaryOf } from '../../src/catalog/manifest.rule.ts';
import { renderMarkdown } from '../../src/reading/markup/markdown.ts';
import { shownQuote, shownText, shownWithin } from '../../src/reading/shown-text.rule.ts';

test.each([
  ['emphasis', 'a **bold** and _quiet_ fox', 'a bold and quiet fox'],
  ['code in a sentence', 'Run `fox --den` now.', 'Run fox --den now.'],
  ['tags in code', 'Use `<b>` and `<div class="a">`, not <b>b</b>.', 'Use <b> and <div class="a">, not b.'],
  ['links, dots and marks in code', '`a[0][1]` `f(...a)` `[x](y)` `*c*`', 'a[0][1] f(...a) [x](y) *c*'],
  ['entities and names in code', '`&lt;` and `{: fox}`', '&lt; and {: fox}'],
  ['code within marks', '**`<a>`** and [`<b>`](c.md)', '<a> and <b>'],
  ['code with a tick', 'a ``b ` c`` d `` ` `` e', 'a b ` c d ` e'],
  ['code that begins before it', 'Rc<T>` is like `Box<T>`.', 'Rc<T> is like Box<T>.'],
  ['code that ends behind it', 'Use `Rc<T>` or `Arc<', 'Use Rc<T> or Arc<'],
  ['code at both ends', 'Vec<T>` or `Map<K, V>` in `x', 'Vec<T> or Map<K, V> in x'],
  ['a tick alone', 'Press ` to open', 'Press ` to open'],
  ['emphasis beside wide punctuation', '版本：**一**（x）。「**二**」', '版本：一（x）。「二」'],
  ['emphasis after a turned mark', '¡*Fox* y ¿_dónde_?', '¡Fox y ¿dónde?'],
  ['names with underscores', 'the snake_case_name of __init__', 'the snake_case_name of __init__'],
  ['link targets', 'See [the den](../den.md#two "A den") and [dens][1].', 'See the den and dens.'],
  ['a link that is cut', 'shared on [crates.io', 'shared on crates.io'],
  ['the end of a link', 'io](https://x.org) shares', 'io shares'],
  ['the end of a reference', 'the [red] fox][1] sleeps', 'the [red] fox sleeps'],
  ['pictures without their texts', 'A ![red fox](fox.png) fox ![][f] sleeps.', 'A fox sleeps.'],
  ['the name of a block', 'The fox. { #fox }\n\n## Den {#den .old}\n\n## Fur [#fur]', 'The fox.\nDen\nFur'],
  ['links to a figure', 'red ([\\[link\\]](#fox){: .auto}) and [[1]](#den)', 'red ([link]) and [1]'],
  ['an address', 'See <https://fox.example/den>.', 'See https://fox.example/den.'],
  ['a picture with a long title', `A ![fox](f.png "${'Fur '.repeat(200)}") fox.`, 'A fox.'],
  ['marks of blocks', '::: tip Foxes\nA fox.\n:::\n\nAn owl.\n^\n[[toc]]', 'A fox.\nAn owl.'],
  ['an alert', '> [!WARNING]\n> The fox.', 'The fox.'],
  ['formulas of TeX', 'so $a*b*c$ and \\[\\|x\\|_1\\] *hold*', 'so $a*b*c$ and \\[\\|x\\|_1\\] hold'],
  ['formulas', 'H<msub><mrow></mrow><mn>2</mn></msub>O', 'H 2 O'],
  ['tags and entities', 'a <b>red</b><br> fox &amp; owl &lt;here&gt;', 'a red fox & owl <here>'],
  ['hard-wrapped lines', 'The fox\r\nsleeps in\na den.', 'The fox sleeps in a den.'],
  ['quotations', '> The fox\n> sleeps.', 'The fox sleeps.'],
  ['a heading', '## The fox', 'The fox'],
  ['an item', '- the fox', 'the fox'],
  ['a list', 'Foxes eat:\n\n- mice,\n* owls', 'Foxes eat:\n- mice,\n- owls'],
  ['a list of pictures', 'Signs:\n\n- ![one](one.png)\n- two', 'Signs:\n- two'],
  ['a numbered list', 'Do this:\n1. sit\n2. wait', 'Do this:\n1. sit\n2. wait'],
  ['a number at the end of a bracket', 'Signs (295 or\n340) apply.', 'Signs (295 or 340) apply.'],
  ['a list after a bracket', 'Sit (or not:\n1) sit\n2) wait)', 'Sit (or not:\n1) sit\n2) wait)'],
  ['a bar in a cell', '| `a \\| b` | c |', 'a | b · c'],
  ['a table', '| fox | `den` |\n| --- | --- |\n| owl | tree |', 'fox · den\nowl · tree'],
  ['fenced code', 'Run:\n\n```sh\nfox  *den*\n\n  owl\n```', 'Run:\nfox  *den*\n\n  owl'],
  ['fenced code in a list', '- Run:\n\n      ```sh\n      fox\n      ```', 'Run:\n      fox'],
])('shows %s as a reader reads it', (_, slice, shown) => {
  expect(shownText(slice)).toBe(shown);
});

test('shows code as it is', () => {
  expect(shownText('  a **b** <c>\n', true)).toBe('  a **b** <c>\n');
});

test.each([
  ['The *', 'grey* heron stands on **one', '** leg', 'grey heron stands on one'],
  ['The ', 'grey **heron', '** stands', 'grey heron'],
  ['Say `', 'a < b` and *all', '* of it', 'a < b and all'],
  ['**On ', 'one leg.** `<b>` *Cold*', ' water', 'one leg. <b> Cold'],
  ['Say ', '2 * 3 and snake_case', ' now', '2 * 3 and snake_case'],
  ['- Frogs\n', '* know it.\n* Fish *do', '* not', 'know it.\n- Fish do'],
])('of %s[%s]%s is shown %s', (prefix, exact, suffix, shown) => {
  expect(shownWithin(prefix, exact, suffix)).toBe(shown);
});

test.each([
  [
    '1. if four divides it,\n2. unless a hundred does,',
    '1. if four divides it,\n2. unless a hundred does, …',
  ],
  ['The year begins in **March:**', 'The year begins in March: …'],
  ['It ends here.', 'It ends here.'],
  ['Write:\n\n```c\nx = 1;\n```', 'Write:\nx = 1;'],
])('a quotation whose sentence goes on says so: %j', (quote, shown) => {
  expect(shownQuote(quote)).toBe(shown);
  expect(shownQuote('let x = 1;', true)).toBe('let x = 1;');
});

const files = new Set(['x.md', 'y.md']);
const links = createItemLinks({ kind: 'book', slug: 'heron', from: 'x.md', files, texts: files });

// Marks are hidden in three places: a page's parser, `hideMarkup` for quotes, `withoutMarks` of catalog/manifest.rule.ts for
// summaries. Syntaxes that Bookstall does not read are here too, so that one that a parser learns must be learned by all.
test.each([
  '**x**',
  '__x__',
  '*x*',
  '_x_',
  '***x***',
  '`x`',
  '[x](y.md)',
  '==x==',
  '++x++',
  '^x^',
  '||x||',
  '%%x%%',
  '{x}',
  ':x:',
])('%s reads the same on a page, in a quote and in a summary', (mark) => {
  const text = `A fox ${mark} sleeps.`;
  const page = renderMarkdown(text, { links, anchors: false })?.html ?? '';
  const read = page.replaceAll(/<[^>]*>/g, '').trim();
  expect(shownText(text)).toBe(read);
  expect(summaryOf({ kind: 'book', description: text })).toBe(read);
});
