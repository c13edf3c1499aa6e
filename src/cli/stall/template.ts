/** Files of a new item by path. A new item is a draft until its publisher says otherwise. */
export type Template = Readonly<Record<string, string>>;

export function bookTemplate(slug: string, status: 'draft' | 'published'): Template {
  return {
    'item.yaml': `# Every key is explained in the Handbook, chapter "Content".
id: ${slug}
title: ${titleOf(slug)}
description: What a reader finds in this book, in a sentence or two.
publisher: Your name
unitAmountCents: 0
currency: usd
status: ${status}
language: en
chapters:
  - path: 01-beginning.md
    title: Beginning
`,
    '01-beginning.md': `# Beginning

This is the first chapter. Write it in Markdown, one file a chapter, and name the files in item.yaml in reading order.

A stall needs two things of a book: an id that never changes, and a price. The price of this one is zero, so anyone may install it.
`,
  };
}

export function skillTemplate(slug: string, status: 'draft' | 'published'): Template {
  return {
    'item.yaml': `# Title and description come from SKILL.md unless they are set here.
title: ${titleOf(slug)}
publisher: Your name
unitAmountCents: 0
currency: usd
status: ${status}
`,
    'SKILL.md': `---
name: ${slug}
description: Says when an agent should use this skill, and what it then can do.
---

# ${titleOf(slug)}

1. Tell the agent what to do first.
2. Name the files and scripts of this skill where they are needed.
`,
  };
}

function titleOf(slug: string): string {
  const words = slug.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
