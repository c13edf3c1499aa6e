/** The kinds of alerts in Markdown, `> [!NOTE]`, as GitHub has them; pages have a word and a colour for each. */
export const ALERTS = ['note', 'tip', 'important', 'warning', 'caution'] as const;

export type Alert = (typeof ALERTS)[number];

/** A regular expression of the kinds, to be part of one that ignores case. */
export const ALERT_KIND = `(?:${ALERTS.join('|')})`;
